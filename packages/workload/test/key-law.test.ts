import { randomStream } from '@topo-bench/core';
import { describe, expect, it } from 'vitest';
import { keyLaw } from '../src/key-law.ts';

const draws = 40_000;

/** How often each key came, most frequent first. */
function frequencies(law: 'uniform' | 'zipfian', count: number, skew = 0.99): number[] {
  const draw = keyLaw(law, count, skew);
  const random = randomStream(7, 'test');
  const seen = new Map<number, number>();
  for (let i = 0; i < draws; i++) {
    const key = draw(random);
    expect(Number.isInteger(key) && key >= 0 && key < count).toBe(true);
    seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  return [...seen.values()].sort((a, b) => b - a);
}

describe('keys', () => {
  it('are all alike under the uniform law', () => {
    const counts = frequencies('uniform', 100);
    expect(counts).toHaveLength(100);
    // 400 expected of each; six standard deviations of a binomial count.
    expect(counts[0]).toBeLessThan(400 + 6 * 20);
    expect(counts.at(-1)).toBeGreaterThan(400 - 6 * 20);
  });

  it('come by rank to the power of the skew under the zipfian law', () => {
    const count = 10_000;
    const zeta = Array.from({ length: count }, (_, i) => (i + 1) ** -0.99).reduce((sum, x) => sum + x, 0);
    const [first = 0, second = 0] = frequencies('zipfian', count);
    expect(first / draws).toBeCloseTo(1 / zeta, 2);
    expect(second / draws).toBeCloseTo(2 ** -0.99 / zeta, 2);
  });

  it('of the same stream are the same ones', () => {
    const of = (): number[] => {
      const random = randomStream(1, 'same');
      const draw = keyLaw('zipfian', 1000, 0.8);
      return Array.from({ length: 50 }, () => draw(random));
    };
    expect(of()).toEqual(of());
  });

  it('need no law when there are one or two', () => {
    expect(frequencies('zipfian', 1)).toEqual([draws]);
    expect(frequencies('zipfian', 2)).toHaveLength(2);
  });
});

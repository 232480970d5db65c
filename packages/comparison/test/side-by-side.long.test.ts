/** How often the whole procedure of a side-by-side gate errs, counted over hundreds of gates of known difference. */
import { randomStream } from '@topo-bench/core';
import { describe, expect, it } from 'vitest';
import { gate } from '../src/gate.ts';
import type { GateVerdict } from '../src/gate-result.ts';
import { gateAlpha } from '../src/pairs-for-limit.ts';
import { pairsNeeded } from '../src/pairs-needed.ts';
import { parseThreshold } from '../src/threshold.ts';
import { noisy, normal } from './fixtures/noise.ts';
import type { CellFigures } from './fixtures/run-of.ts';
import { factors, sides } from './fixtures/sides.ts';

const slower5 = [parseThreshold('rtt.median < +5%')];

describe('a gate that chooses its number of pairs', () => {
  const most = 20;

  /** Two cells whose rounds drift together; measured until the spread is known well enough, at most 20 pairs. */
  function gates(
    count: number,
    change: number,
    spread: number,
  ): { verdicts: Record<GateVerdict, number>; meanPairs: number } {
    const verdicts = { passed: 0, failed: 0, 'cannot tell': 0 };
    let all = 0;
    for (let one = 0; one < count; one++) {
      const random = randomStream(one, 'adaptive', Math.round(1000 * change), Math.round(1000 * spread));
      const drift = Array.from({ length: most }, () => Math.exp(0.1 * normal(random)));
      const figures = (factor: number) =>
        [800, 5000].map((centre) =>
          noisy(random, centre * factor, spread / Math.SQRT2, most).map((value, at) => value * (drift[at] as number)),
        );
      const [from, to] = [figures(1), figures(change)];
      const cut = (values: number[][], pairs: number): CellFigures[] =>
        values.map((mediansUs, rate) => ({ factors: factors(rate), mediansUs: mediansUs.slice(0, pairs) }));
      for (let pairs = 1; ; pairs++) {
        const { baseline, candidate } = sides(cut(from, pairs), cut(to, pairs));
        const { pairs: wanted, have } = pairsNeeded(baseline, candidate, slower5);
        if (have < wanted && pairs < most) continue;
        all += pairs;
        verdicts[gate(candidate, baseline, slower5).verdict]++;
        break;
      }
    }
    return { verdicts, meanPairs: all / count };
  }

  /** Mean plus three standard deviations. */
  const bound = (count: number, rate: number): number => count * rate + 3 * Math.sqrt(count * rate * (1 - rate));

  it.each([0.02, 0.04])('keeps the stated error rate at the limit itself, with %d spread', (spread) => {
    const { verdicts } = gates(400, 1.05, spread);
    expect(verdicts.failed).toBeLessThanOrEqual(bound(400, gateAlpha));
    expect(verdicts.passed).toBeLessThanOrEqual(bound(400, gateAlpha / 2));
  });

  it('rarely alarms on an unchanged candidate, and finds 10% with the min number of pairs for the spread', () => {
    const unchanged = gates(300, 1, 0.04);
    expect(unchanged.verdicts.failed).toBe(0);
    const [quiet, noisier] = [gates(100, 1.1, 0.02), gates(100, 1.1, 0.06)];
    expect(quiet.verdicts.failed).toBeGreaterThanOrEqual(99);
    expect(noisier.verdicts.failed).toBeGreaterThanOrEqual(90);
    expect(quiet.meanPairs).toBeLessThan(9);
    expect(noisier.meanPairs).toBeGreaterThan(quiet.meanPairs + 2);
  });
});

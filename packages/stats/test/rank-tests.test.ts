import { randomStream } from '@topo-bench/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holm } from '../src/holm.ts';
import { cliffsDelta, mannWhitney } from '../src/mann-whitney.ts';
import { pairedRankBiserial, signedRank } from '../src/signed-rank.ts';

const infinity = Number.POSITIVE_INFINITY;

/** U by its definition: pairs in which the candidate is above, ties half. */
const uByPairs = (baseline: readonly number[], candidate: readonly number[]) =>
  candidate
    .flatMap((c) => baseline.map((b) => (c > b ? 1 : c === b ? 0.5 : 0)))
    .reduce<number>((sum, each) => sum + each, 0);

/** All ways to choose `size` of the values; the rest is the second part. */
function* divisions(values: readonly number[], size: number): Generator<[number[], number[]]> {
  const [first, ...others] = values;
  if (first === undefined) {
    if (size === 0) yield [[], []];
    return;
  }
  if (size > 0) for (const [chosen, rest] of divisions(others, size - 1)) yield [[first, ...chosen], rest];
  for (const [chosen, rest] of divisions(others, size)) yield [chosen, [first, ...rest]];
}

const tails = (all: number[], seen: number) => {
  const less = all.filter((each) => each <= seen).length / all.length;
  const greater = all.filter((each) => each >= seen).length / all.length;
  return { less, greater, different: Math.min(1, 2 * Math.min(less, greater)) };
};

/** 1 − Φ(z) by numerical integration of the density (midpoints), so that the reference shares nothing with the code. */
const upperTail = (z: number) => {
  let tail = 0;
  for (let x = z; x < 12; x += 1e-4) tail += Math.exp(-((x + 5e-5) ** 2) / 2) * 1e-4;
  return tail / Math.sqrt(2 * Math.PI);
};

/** Few different values, so that ties (and ties of unfinished ones) are common. */
const value = fc.constantFrom(1, 2, 3, 4, 5, 6, infinity);
const few = fc.array(value, { minLength: 1, maxLength: 5 });

describe('Mann–Whitney', () => {
  it('has the p-values of a count over all divisions of the pooled values, ties and unfinished ones included', () => {
    fc.assert(
      fc.property(few, few, (baseline, candidate) => {
        const seen = uByPairs(baseline, candidate);
        const all = [...divisions([...baseline, ...candidate], candidate.length)].map(([c, b]) => uByPairs(b, c));
        const expected = tails(all, seen);
        for (const alternative of ['different', 'less', 'greater'] as const) {
          const test = mannWhitney(baseline, candidate, alternative);
          expect(test.method).toBe('exact');
          expect(test.statistic).toBeCloseTo(seen, 9);
          expect(test.pValue).toBeCloseTo(expected[alternative], 9);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('reproduces the example of Hollander & Wolfe, table 4.1', () => {
    const atTerm = [0.8, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46];
    const early = [1.15, 0.88, 0.9, 0.74, 1.21];
    // R: wilcox.test(atTerm, early, alternative = "greater"): W = 35, p-value = 0.1272.
    expect(mannWhitney(early, atTerm, 'greater')).toMatchObject({
      statistic: 35,
      pValue: expect.closeTo(0.1272, 4),
      method: 'exact',
    });
  });

  it.each([
    ['without ties', (uniform: number) => uniform],
    ['with many ties', (uniform: number) => Math.floor(8 * uniform)],
  ])('approximates large sets %s by the normal distribution of the permuted rank sum', (_, value) => {
    const random = randomStream(1, 'large');
    const [m, n] = [60, 70];
    const baseline = Array.from({ length: m }, () => value(random.uniform()));
    const candidate = Array.from({ length: n }, () => value(random.uniform() + 0.15));
    // Variance of a sum drawn without replacement, from the ranks themselves; the tail by numerical integration.
    const pooled = [...baseline, ...candidate];
    const ranks = pooled.map((each) => uByPairs(pooled, [each]) + 0.5);
    const center = (m + n + 1) / 2;
    const variance = ((m * n) / ((m + n) * (m + n - 1))) * ranks.reduce((sum, each) => sum + (each - center) ** 2, 0);
    const u = uByPairs(baseline, candidate);
    const z = (u - (m * n) / 2 - 0.5) / Math.sqrt(variance);
    const test = mannWhitney(baseline, candidate);
    expect(test).toMatchObject({ method: 'normal', statistic: u });
    expect(test.pValue).toBeCloseTo(2 * upperTail(z), 9);
    expect(mannWhitney(candidate, baseline).pValue).toBeCloseTo(test.pValue, 12);
  });

  it('has p-value 1 for equal sets, and rejects empty ones', () => {
    expect(mannWhitney([infinity, infinity], [infinity]).pValue).toBe(1);
    expect(mannWhitney(new Array(80).fill(1), new Array(80).fill(1))).toMatchObject({ pValue: 1, method: 'normal' });
    expect(() => mannWhitney([], [1])).toThrow(expect.objectContaining({ code: 'TB_STATS_INPUT' }));
    expect(() => mannWhitney([1], [Number.NaN])).toThrow(expect.objectContaining({ code: 'TB_STATS_INPUT' }));
  });
});

describe('signed-rank', () => {
  it('has the p-values of a count over all signs, ties and zeros included', () => {
    const difference = fc.integer({ min: -4, max: 4 });
    fc.assert(
      fc.property(fc.array(difference, { minLength: 1, maxLength: 8 }), (differences) => {
        const nonZero = differences.filter((each) => each !== 0).map(Math.abs);
        const rankOf = (size: number) =>
          nonZero.filter((each) => each < size).length + (nonZero.filter((each) => each === size).length + 1) / 2;
        const statisticOf = (signs: number) =>
          nonZero.reduce((sum, size, i) => sum + ((signs >> i) & 1 ? rankOf(size) : 0), 0);
        const all = Array.from({ length: 2 ** nonZero.length }, (_, signs) => statisticOf(signs));
        const seen = differences.filter((each) => each > 0).reduce((sum, each) => sum + rankOf(each), 0);
        const expected = tails(all, seen);
        for (const alternative of ['different', 'less', 'greater'] as const) {
          const test = signedRank(differences, alternative);
          expect(test.statistic).toBeCloseTo(seen, 9);
          expect(test.pValue).toBeCloseTo(expected[alternative], 9);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('reproduces the example of Hollander & Wolfe, table 3.1', () => {
    const first = [1.83, 0.5, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.3];
    const second = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29];
    const differences = first.map((each, i) => each - (second[i] as number));
    // R: wilcox.test(first, second, paired = TRUE, alternative = "greater"): V = 40, p-value = 0.01953.
    expect(signedRank(differences, 'greater')).toMatchObject({
      statistic: 40,
      pValue: expect.closeTo(0.01953, 5),
      method: 'exact',
    });
  });

  it('approximates large sets with ties by the normal distribution of the sum of signed ranks', () => {
    const random = randomStream(4, 'pairs');
    const differences = Array.from({ length: 600 }, () => Math.floor(9 * random.uniform()) - 4).filter(
      (each) => each !== 0,
    );
    const sizes = differences.map(Math.abs);
    const ranks = sizes.map((size) => uByPairs(sizes, [size]) + 0.5);
    const statistic = ranks.reduce((sum, each, i) => sum + ((differences[i] as number) > 0 ? each : 0), 0);
    // Each rank gets its sign by a fair coin: mean Σ r / 2, variance Σ r² / 4.
    const center = ranks.reduce((sum, each) => sum + each, 0) / 2;
    const z = (statistic - center - 0.5) / Math.sqrt(ranks.reduce((sum, each) => sum + each * each, 0) / 4);
    const test = signedRank(differences, 'greater');
    expect(test).toMatchObject({ method: 'normal', statistic });
    expect(test.pValue).toBeCloseTo(upperTail(z), 9);
  });

  it('accepts pairs with one or both members unfinished', () => {
    expect(signedRank([infinity, infinity, infinity, infinity, infinity, infinity]).pValue).toBeCloseTo(2 / 64, 12);
    expect(signedRank([Number.NaN, 0]).pValue).toBe(1);
  });
});

describe('effect size', () => {
  it('Cliff’s delta is the share of pairs above less the share below', () => {
    fc.assert(
      fc.property(few, few, (baseline, candidate) => {
        const pairs = candidate.flatMap((c) => baseline.map((b) => (c === b ? 0 : c > b ? 1 : -1)));
        const expected = pairs.reduce<number>((sum, each) => sum + each, 0) / pairs.length;
        expect(cliffsDelta(baseline, candidate)).toBeCloseTo(expected, 12);
      }),
    );
  });

  it('of pairs runs from −1 to 1, and is 0 for no difference', () => {
    expect(pairedRankBiserial([1, 2, 3])).toBe(1);
    expect(pairedRankBiserial([-1, -2, -3])).toBe(-1);
    expect(pairedRankBiserial([1, -1, 0])).toBe(0);
    expect(pairedRankBiserial([0, 0])).toBe(0);
    expect(pairedRankBiserial([1, 2, -3])).toBe(0);
  });
});

describe('Holm', () => {
  it('adjusts like R’s p.adjust, in the given order', () => {
    expect(holm([0.01, 0.02, 0.03, 0.04])).toEqual([0.04, 0.06, 0.06, 0.06]);
    expect(holm([0.04, 0.001, 0.5, 0.02]).map((each) => Number(each.toFixed(6)))).toEqual([0.08, 0.004, 0.5, 0.06]);
    expect(holm([0.9, 0.8])).toEqual([1, 1]);
    expect(holm([])).toEqual([]);
  });

  it('rejects exactly what Holm’s step-down procedure rejects', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 }), (pValues) => {
        const ascending = pValues.map((p, i) => [p, i] as const).sort(([a], [b]) => a - b);
        const rejected = new Set<number>();
        for (const [place, [p, i]] of ascending.entries()) {
          if (p * (pValues.length - place) > 0.05) break;
          rejected.add(i);
        }
        holm(pValues).forEach((adjusted, i) => {
          expect(adjusted <= 0.05).toBe(rejected.has(i));
        });
      }),
    );
  });
});

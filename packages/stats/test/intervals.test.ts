import { randomStream } from '@topo-bench/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mannWhitney } from '../src/mann-whitney.ts';
import { median } from '../src/quantile.ts';
import { pairedShift, shift } from '../src/rank-interval.ts';
import { pairedRatio, ratio } from '../src/ratio.ts';
import { signedRank } from '../src/signed-rank.ts';

const infinity = Number.POSITIVE_INFINITY;
/** Values in general position: no two of them, and no two of their differences, come near each other. */
const distinct = (minLength: number, maxLength: number) =>
  fc.tuple(fc.integer({ min: minLength, max: maxLength }), fc.nat()).map(([n, seed]) => {
    const random = randomStream(seed, 'values');
    return Array.from({ length: n }, () => 2000 * random.uniform() - 1000);
  });

describe('the shift', () => {
  it('is the median of all pair differences', () => {
    fc.assert(
      fc.property(distinct(1, 8), distinct(1, 8), (baseline, candidate) => {
        const differences = candidate.flatMap((c) => baseline.map((b) => c - b));
        expect(shift(baseline, candidate, 0.05).estimate).toBeCloseTo(median(differences), 9);
      }),
    );
  });

  it('has the interval of exactly the shifts that Mann–Whitney does not reject', () => {
    fc.assert(
      fc.property(distinct(4, 8), distinct(4, 8), (baseline, candidate) => {
        const { interval } = shift(baseline, candidate, 0.05);
        const rejects = (by: number) =>
          mannWhitney(
            baseline,
            candidate.map((each) => each - by),
          ).pValue <= 0.05;
        const [low, high] = interval;
        const step = 1e-7;
        expect([rejects(low - step), rejects(low + step), rejects(high - step), rejects(high + step)]).toEqual([
          true,
          false,
          false,
          true,
        ]);
      }),
      {
        numRuns: 100,
        examples: [
          [
            [1, 2, 3, 4],
            [11, 12.5, 13.25, 17.125],
          ],
        ],
      },
    );
  });

  // Two-sided 5% critical values of U: any textbook's table, e.g. Siegel & Castellan, table J.
  it.each([
    [4, 4, 0],
    [5, 5, 2],
    [6, 6, 5],
    [7, 7, 8],
    [8, 8, 13],
    [9, 9, 17],
    [10, 10, 23],
    [15, 15, 64],
    [20, 20, 127],
    [5, 10, 8],
    [7, 12, 18],
    [10, 20, 55],
  ])('of %d and %d values cuts off the published critical value of U, %d', (m, n, critical) => {
    // Pair differences of these sets are 0, 1, …, mn − 1, so an end of the interval is its own rank.
    const baseline = Array.from({ length: m }, (_, i) => -i * n);
    const candidate = Array.from({ length: n }, (_, j) => j);
    expect(shift(baseline, candidate, 0.05).interval).toEqual([critical, m * n - 1 - critical]);
  });

  it('reproduces the estimate of Hollander & Wolfe, section 4.2', () => {
    const atTerm = [0.8, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46];
    const early = [1.15, 0.88, 0.9, 0.74, 1.21];
    const { estimate, interval } = shift(atTerm, early, 0.05);
    expect(estimate).toBeCloseTo(-0.305, 10);
    expect(interval[0]).toBeCloseTo(-0.76, 10);
    expect(interval[1]).toBeCloseTo(0.15, 10);
  });

  it('is unbounded for sets too small to reject', () => {
    expect(shift([1, 2, 3], [11, 12, 13], 0.05)).toEqual({ estimate: 10, interval: [-infinity, infinity] });
  });

  it('of large sets, approximated, is close to the exact one', () => {
    const random = randomStream(5, 'large');
    const draw = (n: number) => Array.from({ length: n }, () => random.uniform());
    const [m, n] = [59, 60];
    const [low, high] = shift(draw(m), draw(n), 0.05).interval;
    // Half length of the interval of a uniform shift: z · √(1/12 · 12 …) ≈ 1.96 · √((m + n + 1) / (12 m n)) / ∫f² with
    // ∫f² = 1.
    const expected = 1.96 * Math.sqrt((m + n + 1) / (12 * m * n));
    expect((high - low) / 2 / expected).toBeGreaterThan(0.7);
    expect((high - low) / 2 / expected).toBeLessThan(1.4);
  });

  it('of large sets, approximated, ends within one rank of the exact distribution', () => {
    // The smallest sets whose distribution is not counted.
    const [m, n] = [60, 60];
    const baseline = Array.from({ length: m }, (_, i) => -i * n);
    const candidate = Array.from({ length: n }, (_, j) => j);
    const critical = largestRejected(waysOfU(m, n), 0.025);
    const [low, high] = shift(baseline, candidate, 0.05).interval;
    expect(low + high).toBe(m * n - 1);
    expect(Math.abs(low - critical)).toBeLessThanOrEqual(1);
  });

  it('accepts unfinished values: infinite where they decide, finite elsewhere', () => {
    expect(shift([1, 2, 3, 4, 5], [101, 102, 103, 104, infinity], 0.05)).toMatchObject({ estimate: 100 });
    const { estimate, interval } = shift([1, 2, 3, 4, 5], new Array(5).fill(infinity), 0.05);
    expect([estimate, ...interval]).toEqual([infinity, infinity, infinity]);
    const unknown = shift(new Array(5).fill(infinity), new Array(5).fill(infinity), 0.05);
    expect([unknown.estimate, ...unknown.interval]).toEqual([Number.NaN, -infinity, infinity]);
    const [low, high] = shift([1, 2, 3, 4, infinity], [1, 2, 3, 4, infinity], 0.05).interval;
    expect(low).toBeLessThan(0);
    expect(high).toBeGreaterThan(0);
  });

  it('rejects an invalid alpha', () => {
    for (const alpha of [0, 1, Number.NaN]) {
      expect(() => shift([1], [1], alpha)).toThrow(expect.objectContaining({ code: 'TB_STATS_INPUT' }));
    }
  });
});

/**
 * Number of arrangements of m and n values with each Mann–Whitney U: the coefficients of the Gaussian binomial, by
 * multiplication with 1 − x^(n + i) and division by 1 − x^i.
 */
function waysOfU(m: number, n: number): number[] {
  const ways = [1, ...new Array<number>(m * n).fill(0)];
  const at = (u: number): number => ways[u] ?? 0;
  for (let i = 1; i <= m; i++) {
    for (let u = m * n; u >= n + i; u--) ways[u] = at(u) - at(u - n - i);
    for (let u = i; u <= m * n; u++) ways[u] = at(u) + at(u - i);
  }
  return ways;
}

/** Largest value of a statistic with a cumulated probability of `tail` or less. */
function largestRejected(ways: readonly number[], tail: number): number {
  const all = ways.reduce((sum, count) => sum + count, 0);
  let below = 0;
  return (
    ways.findIndex((count) => {
      below += count;
      return below > tail * all;
    }) - 1
  );
}

describe('the paired shift', () => {
  it('is the median of all Walsh averages, with the interval that signed-rank does not reject', () => {
    fc.assert(
      fc.property(distinct(6, 9), (differences) => {
        const averages = differences.flatMap((a, i) => differences.slice(i).map((b) => (a + b) / 2));
        const { estimate, interval } = pairedShift(differences, 0.05);
        expect(estimate).toBeCloseTo(median(averages), 9);
        const rejects = (by: number) => signedRank(differences.map((each) => each - by)).pValue <= 0.05;
        const [low, high] = interval;
        const step = 1e-7;
        expect([rejects(low - step), rejects(low + step), rejects(high - step), rejects(high + step)]).toEqual([
          true,
          false,
          false,
          true,
        ]);
      }),
      { numRuns: 100 },
    );
  });

  // Two-sided 5% critical values of the signed-rank statistic: any textbook's table.
  it.each([
    [6, 0],
    [7, 2],
    [8, 3],
    [9, 5],
    [10, 8],
    [12, 13],
    [15, 25],
    [20, 52],
    [25, 89],
  ])('of %d pairs cuts off the published critical value, %d', (n, critical) => {
    const differences = Array.from({ length: n }, (_, i) => 3 ** (i - n));
    const averages = differences.flatMap((a, i) => differences.slice(i).map((b) => (a + b) / 2)).sort((a, b) => a - b);
    const [low, high] = pairedShift(differences, 0.05).interval;
    expect([averages.indexOf(low), averages.length - 1 - averages.indexOf(high)]).toEqual([critical, critical]);
  });

  it('is unbounded for five pairs', () => {
    expect(pairedShift([1, 2, 3, 4, 5], 0.05).interval).toEqual([-infinity, infinity]);
  });
});

describe('the ratio', () => {
  it('is the shift of logarithms: scaling the candidate scales it and its interval', () => {
    const baseline = [100, 110, 95, 104, 99, 120];
    const candidate = [130, 125, 133, 140, 119, 128];
    const one = ratio(baseline, candidate, 0.05);
    const double = ratio(
      baseline,
      candidate.map((each) => 2 * each),
      0.05,
    );
    expect(double.estimate).toBeCloseTo(2 * one.estimate, 12);
    expect(double.interval[0]).toBeCloseTo(2 * one.interval[0], 12);
    const inverse = ratio(candidate, baseline, 0.05);
    expect(inverse.estimate).toBeCloseTo(1 / one.estimate, 12);
    expect(inverse.interval[1]).toBeCloseTo(1 / one.interval[0], 12);
    const exactly = pairedRatio(
      baseline,
      baseline.map((each) => 1.1 * each),
      0.05,
    );
    expect(exactly.estimate).toBeCloseTo(1.1, 12);
    expect(exactly.interval[1] - exactly.interval[0]).toBeCloseTo(0, 12);
  });

  it('rejects values without logarithm, and unequal pairs', () => {
    expect(() => ratio([1, 0], [1, 2], 0.05)).toThrow(expect.objectContaining({ code: 'TB_STATS_INPUT' }));
    expect(() => pairedRatio([1, 2], [1], 0.05)).toThrow(expect.objectContaining({ code: 'TB_STATS_INPUT' }));
  });
});

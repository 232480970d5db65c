/**
 * The slope of a figure over a numeric factor: the median of the slopes between all pairs of levels, with an interval
 * that assumes no distribution. An outlier among the repetitions moves neither far.
 */
import { TopoBenchError } from '@topo-bench/core';
import { requireBetween } from './input.ts';
import { subsetSumDistribution, subsetSumIsAffordable } from './null-distributions.ts';
import { quantileOfSorted } from './quantile.ts';
import { approximateCount, type Estimate, fromOrdered, pairedShift, remember } from './rank-interval.ts';

/** The figures of one level. */
export interface SlopeLevel {
  x: number;
  /** One per repetition; +∞ where the figure falls on an unfinished request. */
  values: readonly number[];
}

/**
 * Theil–Sen slope: change of the value per unit of x. The interval inverts the two-sided test of Kendall's S, whose
 * exact null distribution with repeated x is that of the Jonckheere–Terpstra statistic. Source: Sen, J. Am. Stat.
 * Assoc. 63 (1968) 1379–1389; Hollander & Wolfe, Nonparametric Statistical Methods, sections 6.2 and 9.3. O(n² log n).
 * @param levels at least two with values, in any order, with different finite x
 * @param alpha 1 − confidence, in (0, 1)
 * @throws TopoBenchError `TB_STATS_INPUT`
 */
export function trendSlope(levels: readonly SlopeLevel[], alpha: number): Estimate {
  requireBetween(alpha, 0, 1, 'alpha');
  const used = levels.filter(({ values }) => values.length > 0).sort((a, b) => a.x - b.x);
  if (used.length < 2 || new Set(used.map(({ x }) => x)).size < used.length) {
    throw new TopoBenchError(
      'TB_STATS_INPUT',
      `trendSlope: got values at x = ${used.map(({ x }) => x).join(', ')}, expected two or more different x`,
    );
  }
  const slopes = used.flatMap((high, at) => used.slice(0, at).flatMap((low) => slopesBetween(low, high)));
  const sizes = used.map(({ values }) => values.length);
  return fromOrdered(Float64Array.from(slopes), rejectedCount(sizes, alpha / 2));
}

/**
 * The slope where the levels share rounds: the Theil–Sen slope within each round, and the Hodges–Lehmann centre of
 * these with the interval of the signed-rank test. What a round adds to all of its levels has no influence.
 * @param rounds each with its levels by x; rounds with fewer than two levels have no slope
 * @throws TopoBenchError `TB_STATS_INPUT` when no round has two levels
 */
export function pairedSlope(rounds: readonly ReadonlyMap<number, number>[], alpha: number): Estimate {
  const slopes = rounds.filter(({ size }) => size > 1).map(slopeWithin);
  return pairedShift(slopes, alpha);
}

/** NaN where it depends on levels that are both unfinished. */
function slopeWithin(levels: ReadonlyMap<number, number>): number {
  const points = [...levels];
  const slopes = points.flatMap(([x, y], at) => points.slice(0, at).map(([other, value]) => (y - value) / (x - other)));
  return slopes.some(Number.isNaN) ? Number.NaN : quantileOfSorted(Float64Array.from(slopes).sort(), 0.5);
}

function slopesBetween(low: SlopeLevel, high: SlopeLevel): number[] {
  return high.values.flatMap((value) => low.values.map((other) => (value - other) / (high.x - low.x)));
}

/** Largest c with P(JT < c) ≤ tail: the number of slopes outside the interval on each side, plus one. */
function rejectedCount(sizes: readonly number[], tail: number): number {
  const n = sizes.reduce((sum, size) => sum + size, 0);
  if (!subsetSumIsAffordable(ranksUpTo(n), Math.floor(n / 2))) return approximately(sizes, n, tail);
  return remember(`jt/${sizes.join('/')}`, tail, () => nullDistribution(sizes));
}

/** The statistic is a sum of independent Mann–Whitney statistics: of each level against all levels below it. */
function nullDistribution(sizes: readonly number[]): Float64Array {
  let distribution = Float64Array.of(1);
  let below = 0;
  for (const size of sizes) {
    if (below > 0) distribution = convolved(distribution, mannWhitneyDistribution(below, size));
    below += size;
  }
  return distribution;
}

/** Probabilities of U = 0 … m · n without ties. */
function mannWhitneyDistribution(m: number, n: number): Float64Array {
  return subsetSumDistribution(ranksUpTo(m + n), n).subarray((n * (n - 1)) / 2, (n * (n - 1)) / 2 + m * n + 1);
}

function convolved(a: Float64Array, b: Float64Array): Float64Array<ArrayBuffer> {
  const sums = new Float64Array(a.length + b.length - 1);
  for (const [i, p] of a.entries()) for (const [j, q] of b.entries()) sums[i + j]! += p * q;
  return sums;
}

function ranksUpTo(n: number): number[] {
  return Array.from({ length: n }, (_, rank) => rank);
}

function approximately(sizes: readonly number[], n: number, tail: number): number {
  const term = (size: number): number => size * size * (2 * size + 3);
  const squares = sizes.reduce((sum, size) => sum + size * size, 0);
  const variance = (term(n) - sizes.reduce((sum, size) => sum + term(size), 0)) / 72;
  return approximateCount((n * n - squares) / 4, Math.sqrt(variance), tail);
}

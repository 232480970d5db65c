/**
 * Estimates with intervals by inversion of a rank test: all shifts that the test does not reject. No distribution is
 * assumed, and the confidence level is exact for small sets. A set that is too small gets an infinite interval.
 */
import { normalQuantile } from '@topo-bench/core';
import { requireBetween, requireNumbers, requireSome } from './input.ts';
import {
  signSumDistribution,
  signSumIsAffordable,
  subsetSumDistribution,
  subsetSumIsAffordable,
} from './null-distributions.ts';

export interface Estimate {
  /** NaN when it depends on pairs with both members unfinished. */
  estimate: number;
  /** Low and high end at confidence 1 − α or more; ±∞ for sets that are too small. */
  interval: [low: number, high: number];
}

/**
 * Hodges–Lehmann shift of candidate against baseline: the median of all pairwise differences. Its interval inverts the
 * two-sided Mann–Whitney test. The difference of two unfinished values (∞ − ∞) is unknown: it counts as −∞ for the low
 * end and as +∞ for the high one. Source: Hodges & Lehmann, Ann. Math. Stat. 34 (1963) 598–611; Hollander & Wolfe,
 * Nonparametric Statistical Methods, section 4.2–4.3. O(m · n · log(m · n)).
 * @param alpha 1 − confidence, in (0, 1)
 * @throws TopoBenchError `TB_STATS_INPUT`
 */
export function shift(baseline: ArrayLike<number>, candidate: ArrayLike<number>, alpha: number): Estimate {
  for (const values of [baseline, candidate]) {
    requireSome(values, 'shift');
    requireNumbers(values, 'shift');
  }
  requireBetween(alpha, 0, 1, 'alpha');
  const [m, n] = [baseline.length, candidate.length];
  const differences = new Float64Array(m * n);
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) differences[i * n + j] = (candidate[j] as number) - (baseline[i] as number);
  }
  return fromOrdered(differences, mannWhitneyCount(m, n, alpha / 2));
}

/**
 * Hodges–Lehmann centre of paired differences (candidate − baseline): the median of all Walsh averages (of each two,
 * and of each with itself). Its interval inverts the two-sided signed-rank test. Source: Hollander & Wolfe, section
 * 3.2–3.3.
 * @param differences NaN where both of a pair are unfinished
 */
export function pairedShift(differences: ArrayLike<number>, alpha: number): Estimate {
  requireSome(differences, 'pairedShift');
  requireBetween(alpha, 0, 1, 'alpha');
  const n = differences.length;
  const averages = new Float64Array((n * (n + 1)) / 2);
  for (let i = 0, at = 0; i < n; i++) {
    for (let j = i; j < n; j++) averages[at++] = ((differences[i] as number) + (differences[j] as number)) / 2;
  }
  return fromOrdered(averages, signedRankCount(n, alpha / 2));
}

/** Median of the values, and the interval from the `count`-th smallest to the `count`-th largest (0: unbounded). */
export function fromOrdered(values: Float64Array, count: number): Estimate {
  const low = values.map((value) => (Number.isNaN(value) ? Number.NEGATIVE_INFINITY : value)).sort();
  const high = values.map((value) => (Number.isNaN(value) ? Number.POSITIVE_INFINITY : value)).sort();
  const estimate = middle(low);
  return {
    estimate: estimate === middle(high) ? estimate : Number.NaN,
    interval:
      count === 0
        ? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
        : [low[count - 1] as number, high[high.length - count] as number],
  };
}

function middle(sorted: Float64Array): number {
  const upper = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[upper] as number)
    : ((sorted[upper - 1] as number) + (sorted[upper] as number)) / 2;
}

/**
 * Largest c with P(U < c) ≤ tail for m and n values without ties: the number of pairwise differences outside the
 * interval on each side, plus one.
 */
function mannWhitneyCount(m: number, n: number, tail: number): number {
  const size = Math.min(m, n);
  const ranks = Array.from({ length: m + n }, (_, i) => i);
  if (subsetSumIsAffordable(ranks, size)) {
    return remember(`u/${size}/${m + n}`, tail, () =>
      subsetSumDistribution(ranks, size).subarray((size * (size - 1)) / 2),
    );
  }
  return approximateCount((m * n) / 2, Math.sqrt((m * n * (m + n + 1)) / 12), tail);
}

/** The same for the signed-rank statistic of n differences without ties or zeros. */
function signedRankCount(n: number, tail: number): number {
  const ranks = Array.from({ length: n }, (_, i) => i + 1);
  if (signSumIsAffordable(ranks)) return remember(`v/${n}`, tail, () => signSumDistribution(ranks));
  return approximateCount((n * (n + 1)) / 4, Math.sqrt((n * (n + 1) * (2 * n + 1)) / 24), tail);
}

/** Cached: distributions depend on the sizes alone, and the sizes of experiments repeat. */
const distributions = new Map<string, Float64Array>();

/** Largest count with a cumulated probability of `tail` or less. */
export function remember(name: string, tail: number, distribution: () => Float64Array): number {
  const known = distributions.get(name) ?? distribution();
  distributions.set(name, known);
  let count = 0;
  for (let below = known[0] as number; below <= tail; below += known[count] as number) count++;
  return count;
}

/** The same from the normal approximation. */
export function approximateCount(mean: number, deviation: number, tail: number): number {
  return Math.max(0, Math.floor(mean + 0.5 + normalQuantile(tail) * deviation));
}

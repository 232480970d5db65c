/** The sensitivity of a comparison, and the number of repetitions for a higher one: stated with every verdict. */
import { normalQuantile } from '@topo-bench/core';
import { requireBetween } from './input.ts';

/**
 * Smallest n (per side, or pairs) with which a test could reject. Below it, even complete separation has a two-sided
 * p-value above α. Mann–Whitney: 2 / C(2n, n); signed-rank: 2 / 2^n.
 * @param comparisons number of simultaneous tests; in Holm's procedure the smallest p-value must be below α /
 *   comparisons
 */
export function smallestRejectingN(
  alpha: number,
  { paired = false, sided = 2, comparisons = 1 }: { paired?: boolean; sided?: 1 | 2; comparisons?: number } = {},
): number {
  requireBetween(alpha, 0, 1, 'alpha');
  let n = 0;
  for (let p = sided; p > alpha / comparisons; ) {
    n++;
    // C(2n, n) = C(2n − 2, n − 1) · (2n)(2n − 1) / n².
    p /= paired ? 2 : (2 * n * (2 * n - 1)) / n ** 2;
  }
  return n;
}

/**
 * Smallest shift that a comparison of this precision detects with the given power, in the unit of the interval. Half
 * the interval's length is z(1 − α/2) standard errors, and z(power) more are needed. Source: Lehmann, Ann. Math. Stat.
 * 34 (1963) 1507–1512 (the length of the rank interval estimates the standard error), and the usual normal power
 * formula.
 * @returns +∞ for an unbounded interval
 */
export function minimumDetectableEffect([low, high]: readonly [number, number], alpha: number, power = 0.8): number {
  requireBetween(power, 0, 1, 'power');
  if (!Number.isFinite(low) || !Number.isFinite(high)) return Number.POSITIVE_INFINITY;
  return ((high - low) / 2) * (1 + normalQuantile(power) / normalQuantile(1 - alpha / 2));
}

/**
 * Repetitions (per side, or pairs) needed to detect `effect`: precision grows with the square root of n.
 * @param n repetitions so far, with `detectable` as smallest detectable effect
 * @param minN the smallest n that could reject; also the result while the spread is unknown
 */
export function repetitionsNeeded(n: number, detectable: number, effect: number, minN: number): number {
  if (!Number.isFinite(detectable)) return Math.max(minN, n + 1);
  return Math.max(minN, Math.ceil(n * (detectable / effect) ** 2));
}

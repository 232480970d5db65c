/** Number of pairs with which a gate can tell a change from its limit, by the standard error of their mean. */
import { normalQuantile } from '@topo-bench/core';
import { smallestRejectingN } from '@topo-bench/stats';

/**
 * Probability that a candidate exactly at the limit fails a gate, over all relative thresholds and cells. A candidate
 * equal to the baseline fails far more rarely: its change would have to exceed the limit.
 */
export const gateAlpha = 0.05;
/**
 * Power against a change of all cells by twice the limit, against no change, and against a change of one cell by four
 * times the limit.
 */
const power = 0.95;
/** Pairs beyond the min that can reject: the spread of so few is a rough estimate. */
const spare = 2;
/** Min distance between limit and change. At a distance of 0 no number of pairs would be enough. */
export const minDistance = Math.log1p(0.01);

/** Error rate of one step of one of the relative thresholds of a gate. */
export function stepAlpha(relativeThresholds: number): number {
  return gateAlpha / Math.max(1, relativeThresholds) / 2;
}

/** No gate takes fewer. */
export function minPairs(alpha: number): number {
  return smallestRejectingN(alpha, { paired: true, sided: 1 }) + spare;
}

/** Share of `pairs` that is needed, as `minimumDetectableEffect`. @param standardError of their mean logarithm */
export function shareNeeded(standardError: number, alpha: number, limit: number): number {
  const detectable = standardError * (normalQuantile(1 - alpha) + normalQuantile(power));
  const twice = 2 * limit - 1;
  const distances = [Math.abs(Math.log(limit)), ...(twice > 0 ? [Math.abs(Math.log(twice / limit))] : [])];
  return (detectable / Math.max(minDistance, Math.min(...distances))) ** 2;
}

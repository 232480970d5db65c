/** Student's t: quantiles, and the interval of a mean of few independent values. */
import { normalQuantile } from '@topo-bench/core';
import { mean, standardDeviation } from './summary.ts';

/**
 * Quantile of Student's t, by the first four terms of its expansion around the normal one. For 4 degrees of freedom or
 * more, the error at p = 0.975 is below 0.5%. Source: Abramowitz & Stegun, 26.7.5.
 */
export function studentQuantile(p: number, freedom: number): number {
  const z = normalQuantile(p);
  return (
    z +
    (z ** 3 + z) / (4 * freedom) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * freedom ** 3)
  );
}

/** Interval of the mean of independent values that are about normal. Two or more values; +∞ for one of +∞. */
export function meanInterval(values: ArrayLike<number>, alpha: number): [low: number, high: number] {
  const centre = mean(values);
  if (centre === Number.POSITIVE_INFINITY) return [centre, centre];
  const half =
    (studentQuantile(1 - alpha / 2, values.length - 1) * standardDeviation(values, centre)) / Math.sqrt(values.length);
  return [centre - half, centre + half];
}

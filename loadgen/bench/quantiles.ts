/** The quantiles that the bench compares, in µs. */
import { quantileOfSorted, sortedCopy } from '@topo-bench/stats';

export interface Quantiles {
  p50: number;
  p95: number;
  p99: number;
  p999: number;
}

export const quantileNames = ['p50', 'p95', 'p99', 'p999'] as const;
export type QuantileName = (typeof quantileNames)[number];

/**
 * @param chances the value at q is that of 1 − (1 − q) / chances: what an event meets with probability 1 − q that has
 * so many chances to meet it (union bound)
 */
export function quantilesOf(values: Float64Array, chances = 1): Quantiles {
  const sorted = sortedCopy(values);
  const at = (q: number): number => quantileOfSorted(sorted, 1 - (1 - q) / chances);
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), p999: at(0.999) };
}

/** NaN where either side has no such quantile. */
export function distance(a: Quantiles, b: Quantiles): Quantiles {
  return eachQuantile((name) => Math.abs(a[name] - b[name]));
}

export function eachQuantile(of: (name: QuantileName) => number): Quantiles {
  return { p50: of('p50'), p95: of('p95'), p99: of('p99'), p999: of('p999') };
}

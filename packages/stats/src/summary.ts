/** The summary in all tables of topo-bench: five numbers, tails, mean and spread of a set of intervals. */
import type { Summary } from '@topo-bench/core/schema/result';
import { requireNumbers } from './input.ts';
import { quantileOfSorted, sortedCopy } from './quantile.ts';

/**
 * Summarises intervals in µs.
 *
 * Unfinished requests count as +∞ in every figure: omitting them would flatter overload. Thus `meanUs` and `stdUs`
 * (sample standard deviation, n − 1) are +∞ with the first unfinished request. Undefined figures (quantiles of no
 * values, the spread of one value) are NaN, and null in JSON.
 *
 * @param valuesUs finished intervals in any order; a value of +∞ counts as unfinished
 * @param unfinished number of further unfinished requests
 * @throws TopoBenchError `TB_STATS_INPUT` when a value is NaN or −∞
 */
export function summarise(valuesUs: ArrayLike<number>, unfinished = 0): Summary {
  requireNumbers(valuesUs, 'summarise');
  const sorted = new Float64Array(valuesUs.length + unfinished).fill(Number.POSITIVE_INFINITY);
  sorted.set(sortedCopy(valuesUs));
  const at = (q: number): number => quantileOfSorted(sorted, q);
  const meanUs = mean(sorted);
  return {
    count: sorted.length,
    minUs: at(0),
    q1Us: at(0.25),
    medianUs: at(0.5),
    q3Us: at(0.75),
    p95Us: at(0.95),
    p99Us: at(0.99),
    p999Us: at(0.999),
    maxUs: at(1),
    meanUs,
    stdUs: meanUs === Number.POSITIVE_INFINITY ? meanUs : standardDeviation(sorted, meanUs),
  };
}

/** Arithmetic mean; NaN for no values. */
export function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] as number;
  return sum / values.length;
}

/** Sample standard deviation (n − 1), in two passes for precision; NaN for fewer than two values. */
export function standardDeviation(values: ArrayLike<number>, meanOfValues = mean(values)): number {
  if (values.length < 2) return Number.NaN;
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += ((values[i] as number) - meanOfValues) ** 2;
  return Math.sqrt(squares / (values.length - 1));
}

/**
 * How many requests of a repetition give a figure that can decide. A quantile q needs 1 / (1 − q) of them: with fewer,
 * its rank is that of the slowest request. A median needs six, the fewest of which its 95% interval has two ends.
 */
import type { Cell, Summary } from '@topo-bench/core/schema/result';
import type { Metric } from './metric.ts';

const minOfMedian = 6;

const minCounts: Readonly<Partial<Record<keyof Summary, number>>> = {
  q1Us: minOfMedian,
  medianUs: minOfMedian,
  q3Us: minOfMedian,
  meanUs: minOfMedian,
  stdUs: minOfMedian,
  p95Us: 20,
  p99Us: 100,
  p999Us: 1000,
};

/** Undefined for a minimum and a maximum, which any request has. */
export function minCountOf(statistic: keyof Summary): number | undefined {
  return minCounts[statistic];
}

/** The reason why a figure decides nothing; undefined where each repetition has requests enough. */
export function tooFewRequests({ requests }: Metric, entries: readonly Cell[]): string | undefined {
  const found = requests === undefined ? [] : entries.flatMap((entry) => requests(entry) ?? []);
  const few = found.filter(({ count, min }) => count < min);
  const [first] = few;
  if (!first) return undefined;
  const fewest = Math.min(...few.map(({ count }) => count));
  return `${few.length} of ${entries.length} repetitions have too few requests: got ${fewest}, expected ${first.min} or more`;
}

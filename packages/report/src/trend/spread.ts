/** A figure of a cell with its spread over the repetitions. */
import { medianInterval } from '@topo-bench/comparison';
import { median } from '@topo-bench/stats';

export interface Spread {
  /** Median over the repetitions, in µs; NaN without any. */
  value: number;
  low: number;
  high: number;
  /** `interval`: of the median, at 95%; needs six repetitions. `range`: from the smallest to the largest value. */
  kind: 'interval' | 'range';
  /** One per repetition with the figure. */
  values: number[];
}

/** @param given one per repetition; NaN where it lacks the figure */
export function spreadOf(given: readonly number[]): Spread {
  const values = given.filter((value) => value > 0).sort((a, b) => a - b);
  const [low, high] = medianInterval(values, 0.05);
  const isKnown = low !== Number.NEGATIVE_INFINITY;
  return {
    value: median(values),
    low: isKnown ? low : (values[0] ?? Number.NaN),
    high: isKnown ? high : (values.at(-1) ?? Number.NaN),
    kind: isKnown ? 'interval' : 'range',
    values,
  };
}

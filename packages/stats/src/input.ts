/** Valid input of the statistics: +∞ is an unfinished request; NaN and −∞ are errors of the caller. */
import { TopoBenchError } from '@topo-bench/core';

/** @throws TopoBenchError `TB_STATS_INPUT` with the statistic, the index and the value */
export function requireNumbers(values: ArrayLike<number>, statistic: string): void {
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (Number.isNaN(value) || value === Number.NEGATIVE_INFINITY) {
      throw new TopoBenchError(
        'TB_STATS_INPUT',
        `${statistic}: value ${i} is ${value}, expected a number or +Infinity`,
      );
    }
  }
}

/** @throws TopoBenchError `TB_STATS_INPUT` for no values */
export function requireSome(values: ArrayLike<number>, statistic: string): void {
  if (values.length === 0) throw new TopoBenchError('TB_STATS_INPUT', `${statistic}: no values, expected at least one`);
}

/** @throws TopoBenchError `TB_STATS_INPUT` unless `value` lies in (low, high) */
export function requireBetween(value: number, low: number, high: number, what: string): void {
  if (!(value > low && value < high)) {
    throw new TopoBenchError('TB_STATS_INPUT', `${what} is ${value}, expected a number between ${low} and ${high}`);
  }
}

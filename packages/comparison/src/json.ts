/** Comparisons as the JSON that scripts read. */
import type { CellComparison } from './compare-cells.ts';

/** JSON has no −∞: an interval without a lower end says so in words, as run folders write +∞. NaN becomes null by itself. */
export function withoutInfinities<T>(value: T): T {
  const text = JSON.stringify(value, (_key, one: unknown) =>
    one === Number.POSITIVE_INFINITY ? 'Infinity' : one === Number.NEGATIVE_INFINITY ? '-Infinity' : one,
  );
  return JSON.parse(text) as T;
}

type Promised = Pick<
  CellComparison,
  'factors' | 'metric' | 'baseline' | 'candidate' | 'difference' | 'differencePercent' | 'interval' | 'pValue'
> & {
  verdict: string;
};

/** One cell, the promised fields first; p-values between the sides as `pValue` (of the cell alone) and `adjustedPValue`. */
export function cellDocument<T extends Promised>(cell: T): T {
  const { factors, metric, baseline, candidate, difference, differencePercent, interval, pValue, verdict, ...more } = cell;
  return { factors, metric, baseline, candidate, difference, differencePercent, interval, pValue, verdict, ...more } as T;
}

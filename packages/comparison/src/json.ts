/** Comparisons as JSON for scripts. */
import type { CellComparison } from './compare-cells.ts';

/** Replaces ±∞, which JSON lacks, by the strings that run folders use. `JSON.stringify` turns NaN into null. */
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

/** A cell with its stable fields first. */
export function cellDocument<T extends Promised>(cell: T): T {
  const { factors, metric, baseline, candidate, difference, differencePercent, interval, pValue, verdict, ...more } =
    cell;
  return {
    factors,
    metric,
    baseline,
    candidate,
    difference,
    differencePercent,
    interval,
    pValue,
    verdict,
    ...more,
  } as T;
}

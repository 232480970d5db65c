/** A figure of a repetition that can be compared: where it stands in a cell entry, its unit, and which direction is better. */
import type { Cell } from '@topo-bench/core/schema/result';

/** `share` is a fraction in 0…1, `percent` may exceed 100 (several cores). */
export type MetricUnit = 'us' | 'rps' | 'share' | 'percent' | 'bytes' | 'count';

export interface Metric {
  /** The one name under which results carry it, whatever alias asked for it. */
  name: string;
  unit: MetricUnit;
  better: 'lower' | 'higher';
  /** `ratio`: always above 0, differences are relative. `difference`: 0 is a usual value, so that a percentage of it means nothing. */
  scale: 'ratio' | 'difference';
  /** Undefined when the cell has no such figure (another architecture's role, say), NaN when there was nothing to compute it from. */
  read(cell: Cell): number | undefined;
}

/** Times and rates are faster or slower; bytes, shares and counts are better or worse. */
export function isSpeed({ unit }: Metric): boolean {
  return unit === 'us' || unit === 'rps';
}

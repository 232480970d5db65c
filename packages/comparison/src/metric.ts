/** A figure of a repetition that can be compared: where it stands in a cell entry, its unit, and which direction is better. */
import type { Cell, FactorLevels } from '@topo-bench/core/schema/result';

/** `share` is a fraction in 0…1, `percent` may exceed 100 (several cores), `MBps` are 10^6 bytes per second. */
export type MetricUnit = 'us' | 'rps' | 'MBps' | 'share' | 'percent' | 'bytes' | 'count';

export interface Metric {
  /** The one name under which results carry it, whatever alias asked for it. */
  name: string;
  unit: MetricUnit;
  better: 'lower' | 'higher';
  /** `ratio`: always above 0, differences are relative. `difference`: 0 is a usual value, so that a percentage of it means nothing. */
  scale: 'ratio' | 'difference';
  /** Undefined when the cell has no such figure (another architecture's role, say), NaN when there was nothing to compute it from. */
  read(cell: Cell): number | undefined;
  /** The figure does not grow with a queue, so that a saturated host is no reason against comparing it. Left out: it may. */
  isQueueless?: true;
  /**
   * Whether the load of a cell with these levels sends no more than is answered: there is no queue then that a saturated host lets grow. Left out:
   * never.
   */
  isClosed?(levels: FactorLevels): boolean;
}

/** Times and rates are faster or slower; bytes, shares and counts are better or worse. */
export function isSpeed({ unit }: Metric): boolean {
  return unit === 'us' || unit === 'rps' || unit === 'MBps';
}

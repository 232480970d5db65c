/** A figure of a repetition that can be compared: where it stands in a cell entry, its unit, and which direction is better. */
import type { Cell, FactorLevels, Summary } from '@topo-bench/core/schema/result';

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

/** Rows of a table of metrics, by name. */
export interface MetricRows {
  /** Sets of intervals: each gives a metric for every statistic of a summary. */
  readonly intervals?: Readonly<Record<string, (cell: Cell) => Summary | undefined>>;
  readonly single?: Readonly<Record<string, Omit<Metric, 'name'>>>;
  /** Other names, each for the name of a row. */
  readonly aliases?: Readonly<Record<string, string>>;
}

/** A rate, which is never 0 where anything was done. */
export function higher(unit: MetricUnit, read: Metric['read']): Omit<Metric, 'name'> {
  return { unit, better: 'higher', scale: 'ratio', read };
}

export function lower(unit: MetricUnit, read: Metric['read']): Omit<Metric, 'name'> {
  return { unit, better: 'lower', scale: 'difference', read };
}

/** Own members only: `constructor` is no metric. */
export function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** Metrics: where a figure is in an entry of `cells.json`, its unit, its scale, and which direction is better. */
import type { Cell, FactorLevels, Summary } from '@topo-bench/core/schema/result';

/** `share` is a fraction in 0…1, `percent` may exceed 100 (several cores), `MBps` are 10^6 bytes per second. */
export type MetricUnit = 'us' | 'rps' | 'MBps' | 'share' | 'percent' | 'bytes' | 'count';

export interface Metric {
  /** Canonical name; results never contain an alias. */
  name: string;
  unit: MetricUnit;
  better: 'lower' | 'higher';
  /** `ratio`: always above 0, differences are relative. `difference`: 0 is common, differences are absolute. */
  scale: 'ratio' | 'difference';
  /**
   * Undefined when the cell cannot have this figure, e.g. for a role that it lacks. NaN when there was no data for it.
   */
  read(cell: Cell): number | undefined;
  /** Requests behind the figure, and how many it needs to decide; absent or undefined where any number is enough. */
  requests?(cell: Cell): { count: number; min: number } | undefined;
  /** The figure does not grow with a queue: it is comparable on a saturated host. Default: it may grow. */
  isQueueless?: true;
  /** The figure counts failures: repetitions that are invalid for failed requests alone have it too. */
  countsFailures?: true;
  /**
   * Whether cells with these levels have a closed load: requests wait for answers and no queue grows. Default: false.
   */
  isClosed?(levels: FactorLevels): boolean;
}

/** Times and rates are faster or slower; bytes, shares and counts are better or worse. */
export function isSpeed({ unit }: Metric): boolean {
  return unit === 'us' || unit === 'rps' || unit === 'MBps';
}

/** Rows of a metric table, by name. */
export interface MetricRows {
  /** Intervals; each has a metric for every statistic of its summary. */
  readonly intervals?: Readonly<Record<string, (cell: Cell) => Summary | undefined>>;
  readonly single?: Readonly<Record<string, Omit<Metric, 'name'>>>;
  /** Names of metrics by alias. */
  readonly aliases?: Readonly<Record<string, string>>;
}

/** A rate. It has a ratio scale: it is above 0 whenever any work was done. */
export function higher(unit: MetricUnit, read: Metric['read']): Omit<Metric, 'name'> {
  return { unit, better: 'higher', scale: 'ratio', read };
}

export function lower(unit: MetricUnit, read: Metric['read']): Omit<Metric, 'name'> {
  return { unit, better: 'lower', scale: 'difference', read };
}

/** Reads own members only: `constructor` is not a metric. */
export function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

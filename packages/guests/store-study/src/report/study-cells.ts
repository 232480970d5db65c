/**
 * The repetitions of a persistence study with the four metrics of each: the input of its charts, tables and verdicts.
 */
import type { ReportModel } from '@topo-bench/report/model';
import { median } from '@topo-bench/stats';
import type { StoreEntry } from '../parts.ts';

/** The metrics of the study; `short` is the heading in tables. */
export const studyMetrics = [
  { key: 'p95Ms', heading: 'p95 of response time (ms)', short: 'p95 (ms)', published: 'p95_ms', better: 'lower' },
  {
    key: 'throughputRps',
    heading: 'throughput (successes/s)',
    short: 'successes/s',
    published: 'throughput_rps',
    better: 'higher',
  },
  { key: 'cpuPercent', heading: 'CPU (% of one core)', short: 'CPU %', published: 'cpu_percent', better: 'lower' },
  { key: 'ramMb', heading: 'RAM (MB)', short: 'RAM MB', published: 'ram_mb', better: 'lower' },
] as const;
export type StudyMetric = (typeof studyMetrics)[number]['key'];

export interface StudyCell extends Record<StudyMetric, number> {
  store: string;
  workload: string;
  /** Clients of the closed model, or the offered rate of the open one. */
  load: number;
  repetition: number;
  p50Ms: number;
  p99Ms: number;
  errors: number;
}

/** Valid repetitions that read and wrote a store. */
export function studyCells({ groups }: ReportModel): StudyCell[] {
  return groups.flatMap(({ valid }) => valid).flatMap((cell) => studyCell(cell) ?? []);
}

/** Indexes of the report's cells of a store and a workload, or of all workloads, for the page's filter. */
export function cellsOf({ groups }: ReportModel, store: string, workload?: string): number[] {
  return groups.flatMap(({ factors, valid }, at) => {
    const [first]: readonly StoreEntry[] = valid;
    const own = first?.persistence ?? { configuration: factors.store, workload: factors.workload };
    return own.configuration === store && (workload === undefined || own.workload === workload) ? [at] : [];
  });
}

/** Undefined for a repetition of another kind of study. */
export function studyCell({
  persistence,
  factors,
  repetition,
  responseTime,
  resources,
  outcomes,
}: StoreEntry): StudyCell | undefined {
  if (!persistence) return undefined;
  const { store, service } = resources;
  return {
    store: persistence.configuration,
    workload: persistence.workload,
    load: Number(factors.connections ?? factors.rate),
    repetition,
    p50Ms: responseTime.medianUs / 1e3,
    p95Ms: responseTime.p95Us / 1e3,
    p99Ms: responseTime.p99Us / 1e3,
    throughputRps: persistence.successRps,
    // Usage of store and service together. A remote store is not included.
    cpuPercent: sum(store?.cpuPercent, service?.cpuPercent),
    // Shared memory of the store's processes counts once, if the system reports it.
    ramMb: sum(store?.pssBytes ?? store?.rssBytes, service?.pssBytes ?? service?.rssBytes) / 1e6,
    errors: outcomes.error,
  };
}

function sum(...values: (number | undefined)[]): number {
  return values.reduce<number>((total, value) => total + (value ?? Number.NaN), 0);
}

/** Distinct values in order of appearance, numbers by size. */
export function levelsOf<Key extends 'store' | 'workload' | 'load'>(
  cells: readonly StudyCell[],
  key: Key,
): StudyCell[Key][] {
  const levels = [...new Set(cells.map((cell) => cell[key]))];
  return key === 'load' ? levels.sort((a, b) => Number(a) - Number(b)) : levels;
}

/** Median over the repetitions at one load; NaN without any. */
export function medianAt(
  cells: readonly StudyCell[],
  { store, workload, load }: Pick<StudyCell, 'store' | 'workload' | 'load'>,
  metric: Exclude<keyof StudyCell, 'store' | 'workload'>,
): number {
  const values = cells
    .filter((cell) => cell.store === store && cell.workload === workload && cell.load === load)
    .map((cell) => cell[metric])
    .filter((value) => !Number.isNaN(value));
  return values.length === 0 ? Number.NaN : median(values);
}

/**
 * The study's summary: per level of load the median over repetitions, then the mean over levels. NaN if a level is
 * missing.
 */
export function averageOver(cells: readonly StudyCell[], store: string, workload: string, metric: StudyMetric): number {
  const loads = levelsOf(cells, 'load');
  return loads.reduce((total, load) => total + medianAt(cells, { store, workload, load }, metric), 0) / loads.length;
}

/**
 * The registry of metrics: every name under which a figure of `cells.json` can be compared or gated, with its aliases. Names are paths
 * of the cell entry without the unit suffix (`rtt.median`); k6's abbreviations (`med`, `avg`, `p(95)`) are understood.
 */
import { TopoBenchError } from '@topo-bench/core';
import { nearestName } from '@topo-bench/core/nearest-name';
import type { Cell, ResourceUse, Summary } from '@topo-bench/core/schema/result';
import type { Metric, MetricUnit } from './metric.ts';

export const defaultMetric = 'rtt.median';

/** What runs without round trips are compared by, unless someone asks for another figure. */
export function defaultMetricOf(cells: readonly Cell[]): string {
  if (cells.some(({ flight }) => flight)) return 'flight.megabytesPerSecond';
  return cells.some(({ persistence }) => persistence) ? 'responseTime.median' : defaultMetric;
}

const intervals = ['rtt', 'rttRefused', 'responseTime', 'serviceTime', 'schedulerLag', 'flight.firstBatch'] as const;

const statistics: Record<string, keyof Summary> = {
  min: 'minUs',
  q1: 'q1Us',
  median: 'medianUs',
  q3: 'q3Us',
  p95: 'p95Us',
  p99: 'p99Us',
  p999: 'p999Us',
  max: 'maxUs',
  mean: 'meanUs',
  std: 'stdUs',
};

const statisticAliases: Record<string, string> = {
  med: 'median',
  p50: 'median',
  avg: 'mean',
  p25: 'q1',
  p75: 'q3',
  'p99.9': 'p999',
};

const aliases: Record<string, string> = {
  errors: 'errors.rate',
  unfinished: 'unfinished.rate',
  refused: 'refused.rate',
  rps: 'achievedRps',
  cpu: 'cpuUsPerRequest.total',
  cpuUsPerRequest: 'cpuUsPerRequest.total',
  exposureBytes: 'exposureBytes.total',
  hops: 'hops.perRequest',
  megabytesPerSecond: 'flight.megabytesPerSecond',
  'MB/s': 'flight.megabytesPerSecond',
  rowsPerSecond: 'flight.rowsPerSecond',
  successRps: 'persistence.successRps',
};

const single: Record<string, Omit<Metric, 'name'>> = {
  achievedRps: higher('rps', ({ achievedRps }) => achievedRps),
  'errors.rate': shareOf('error'),
  'unfinished.rate': shareOf('unfinished'),
  'refused.rate': shareOf('refused'),
  // A stream asks for more only once it has taken what came.
  'flight.megabytesPerSecond': { ...higher('MBps', ({ flight }) => flight?.megabytesPerSecond), isClosed: () => true },
  'flight.rowsPerSecond': { ...higher('rps', ({ flight }) => flight?.rowsPerSecond), isClosed: () => true },
  // Clients of a closed model wait for their answer; requests at a rate do not.
  'persistence.successRps': {
    ...higher('rps', ({ persistence }) => persistence?.successRps),
    isClosed: ({ rate }) => rate === undefined,
  },
  // Every request makes at least one.
  'hops.perRequest': { ...lower('count', ({ hops }) => hops.perRequest), scale: 'ratio', isQueueless: true },
  'hops.betweenNodesPerRequest': { ...lower('count', ({ hops }) => hops.betweenNodesPerRequest), isQueueless: true },
};

const resourceFields: Partial<Record<keyof ResourceUse, Pick<Metric, 'unit' | 'better' | 'scale'>>> = {
  cpuPercent: { unit: 'percent', better: 'lower', scale: 'difference' },
  rssBytes: { unit: 'bytes', better: 'lower', scale: 'ratio' },
  pssBytes: { unit: 'bytes', better: 'lower', scale: 'ratio' },
  eventLoopUtilization: { unit: 'share', better: 'lower', scale: 'difference' },
  idlePercent: { unit: 'percent', better: 'higher', scale: 'difference' },
  stolenPercent: { unit: 'percent', better: 'lower', scale: 'difference' },
};

/** Names that every run has; those by role or category of data are added by `metricNames`. */
const commonNames = [
  ...intervals.flatMap((interval) => Object.keys(statistics).map((statistic) => `${interval}.${statistic}`)),
  ...Object.keys(single),
  'cpuUsPerRequest.total',
  'exposureBytes.total',
];

/**
 * The metric of that name or alias. An interval alone means its median, a statistic alone that of `rtt`.
 * @param cells entries to draw suggestions from
 * @throws TopoBenchError `TB_METRIC_UNKNOWN`
 */
export function metricNamed(text: string, cells: readonly Cell[] = []): Metric {
  const metric = findMetric(text.trim());
  if (metric) return metric;
  throw unknownMetric(text, cells);
}

/** As `metricNamed`, and some cell has it. */
export function metricOf(cells: readonly Cell[], text: string): Metric {
  const metric = metricNamed(text, cells);
  if (cells.length > 0 && cells.every((cell) => metric.read(cell) === undefined)) {
    if (!commonNames.includes(metric.name)) throw unknownMetric(text, cells);
    throw new TopoBenchError('TB_METRIC_UNKNOWN', `no repetition has ${metric.name}`, {
      hint: 'choose a figure that `cells.json` of the run holds',
    });
  }
  return metric;
}

/** All names that these cells can be compared by. */
export function metricNames(cells: readonly Cell[]): string[] {
  const names = new Set(commonNames);
  for (const { cpuUsPerRequest, exposureBytes, resources } of cells) {
    for (const role of Object.keys(cpuUsPerRequest)) names.add(`cpuUsPerRequest.${role}`);
    for (const category of Object.keys(exposureBytes)) names.add(`exposureBytes.${category}`);
    for (const [role, use] of Object.entries(resources)) {
      for (const field of Object.keys(use)) if (field in resourceFields) names.add(`resources.${role}.${field}`);
    }
  }
  return [...names];
}

function findMetric(text: string): Metric | undefined {
  const alone = statisticNamed(text);
  if (alone !== undefined) return summaryMetric('rtt', alone);
  const name = own(aliases, text) ?? text;
  const fixed = own(single, name);
  if (fixed) return { name, ...fixed };
  const interval = intervals.find((known) => name === known || name.startsWith(`${known}.`));
  if (interval) {
    const statistic = statisticNamed(name.slice(interval.length + 1) || 'median');
    return statistic === undefined ? undefined : summaryMetric(interval, statistic);
  }
  const [head = '', ...rest] = name.split('.');
  const tail = rest.join('.');
  if (tail === '') return undefined;
  if (head === 'cpuUsPerRequest') {
    return { name, ...lower('us', ({ cpuUsPerRequest }) => own(cpuUsPerRequest, tail)), scale: 'ratio', isQueueless: true };
  }
  if (head === 'exposureBytes') {
    return { name, ...lower('bytes', (cell) => exposedBytes(cell, tail)), isQueueless: true };
  }
  return head === 'resources' ? resourceMetric(name, rest) : undefined;
}

function summaryMetric(interval: (typeof intervals)[number], statistic: string): Metric {
  const key = statistics[statistic] as keyof Summary;
  const read = (cell: Cell): number | undefined => {
    // Where nothing was refused there is no such interval; where nothing was completed, RTT is a figure that is missing.
    if (interval === 'rttRefused' && cell.rttRefused.count === 0) return undefined;
    return interval === 'flight.firstBatch' ? cell.flight?.firstBatch[key] : cell[interval]?.[key];
  };
  return { name: `${interval}.${statistic}`, ...lower('us', read), scale: 'ratio' };
}

/** `p(95)` is `p95`, `medianUs` is `median`. */
function statisticNamed(text: string): string | undefined {
  const plain = text.replace(/^p\((.*)\)$/, 'p$1').replace(/Us$/, '');
  const name = own(statisticAliases, plain) ?? plain;
  return own(statistics, name) === undefined ? undefined : name;
}

/** `resources.ROLE.FIELD` */
function resourceMetric(name: string, [role = '', field = '']: readonly string[]): Metric | undefined {
  const about = own(resourceFields, field) as Pick<Metric, 'unit' | 'better' | 'scale'> | undefined;
  return about && { name, ...about, read: ({ resources }) => own(resources, role)?.[field as keyof ResourceUse] };
}

/** A rate, which is never 0 where anything was done. */
function higher(unit: MetricUnit, read: Metric['read']): Omit<Metric, 'name'> {
  return { unit, better: 'higher', scale: 'ratio', read };
}

function lower(unit: MetricUnit, read: Metric['read']): Omit<Metric, 'name'> {
  return { unit, better: 'lower', scale: 'difference', read };
}

/** Of all requests: completed, refused, failed and unfinished. */
function shareOf(outcome: keyof Cell['outcomes']): Omit<Metric, 'name'> {
  return lower('share', ({ outcomes }) => outcomes[outcome] / Object.values(outcomes).reduce((sum, count) => sum + count, 0));
}

/** A category that a repetition does not list was not exposed in it. Under `none` nothing is refused, so there is no such figure. */
function exposedBytes({ factors, exposureBytes: byCategory }: Cell, category: string): number | undefined {
  if (factors.architecture === 'none') return undefined;
  if (category === 'total') return Object.values(byCategory).reduce((sum, bytes) => sum + bytes, 0);
  return own(byCategory, category) ?? 0;
}

/** Own members only: `constructor` is no metric. */
function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function unknownMetric(text: string, cells: readonly Cell[]): TopoBenchError {
  const names = metricNames(cells);
  const nearest = nearestName(text, [...names, ...Object.keys(aliases)]);
  return new TopoBenchError('TB_METRIC_UNKNOWN', `there is no metric ${JSON.stringify(text)}`, {
    hint: nearest
      ? `did you mean "${nearest}"?`
      : `for example rtt.median, rtt.p95, responseTime.p99, cpuUsPerRequest.total, errors.rate, achievedRps, flight.megabytesPerSecond; statistics: ${Object.keys(statistics).join(', ')}`,
  });
}

/**
 * Metrics common to all kinds of study: intervals with their statistics, rates and shares, and figures by role or by
 * category of data.
 */
import { isEnforced } from '@topo-bench/core';
import type { Cell, DeploymentHistory, ResourceUse, Summary } from '@topo-bench/core/schema/result';
import { summarise } from '@topo-bench/stats';
import { minCountOf } from './enough-requests.ts';
import { eventAliases, eventRows } from './event-metrics.ts';
import { higher, lower, type Metric, type MetricRows, own } from './metric.ts';
import { stalenessAliases, stalenessRows } from './staleness-metrics.ts';

export const commonRows: MetricRows = {
  intervals: {
    rtt: ({ rtt }) => rtt,
    // Without refusals the cell cannot have this interval. RTT without completed requests counts as missing instead.
    rttRefused: ({ rttRefused }) => (rttRefused.count === 0 ? undefined : rttRefused),
    responseTime: (cell) => (isLateInTurns(cell) ? summarise([]) : cell.responseTime),
    serviceTime: ({ serviceTime }) => serviceTime,
    schedulerLag: ({ schedulerLag }) => schedulerLag,
  },
  single: {
    'deployment.ready': costOfDeployment('us', ({ readyMs }) => readyMs && 1e3 * readyMs),
    'deployment.stop': costOfDeployment('us', ({ stopMs }) => stopMs && 1e3 * stopMs),
    'deployment.memory': costOfDeployment('bytes', ({ memoryBytes }) => memoryBytes),
    achievedRps: higher('rps', ({ achievedRps }) => achievedRps),
    'errors.rate': { ...shareOf('error'), countsFailures: true },
    'unfinished.rate': shareOf('unfinished'),
    'refused.rate': shareOf('refused'),
    ...eventRows,
    ...stalenessRows,
    // A ratio scale: every request makes at least one hop.
    'hops.perRequest': { ...lower('count', ({ hops }) => hops.perRequest), scale: 'ratio', isQueueless: true },
    'hops.betweenNodesPerRequest': {
      ...lower('count', ({ hops }) => hops.betweenNodesPerRequest),
      isQueueless: true,
    },
  },
  aliases: {
    ready: 'deployment.ready',
    teardown: 'deployment.stop',
    memory: 'deployment.memory',
    errors: 'errors.rate',
    unfinished: 'unfinished.rate',
    refused: 'refused.rate',
    rps: 'achievedRps',
    cpu: 'cpuUsPerRequest.total',
    cpuUsPerRequest: 'cpuUsPerRequest.total',
    exposureBytes: 'exposureBytes.total',
    hops: 'hops.perRequest',
    ...eventAliases,
    ...stalenessAliases,
  },
};

/** Names of the metrics of planned events: parts that fail, and rules that change. */
export const eventMetricNames: readonly string[] = [...Object.keys(eventRows), ...Object.keys(stalenessRows)];

/** Whether requests left later than a cell measured alone allows: their response times contain the lag, no RTT does. */
function isLateInTurns({ turns, validity }: Cell): boolean {
  return turns !== undefined && validity.flags.includes('late');
}

export const statistics: Readonly<Record<string, keyof Summary>> = {
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

const statisticAliases: Readonly<Record<string, string>> = {
  med: 'median',
  p50: 'median',
  avg: 'mean',
  p25: 'q1',
  p75: 'q3',
  'p99.9': 'p999',
};

/** `p(95)` is `p95`, `medianUs` is `median`. */
export function statisticNamed(text: string): string | undefined {
  const plain = text.replace(/^p\((.*)\)$/, 'p$1').replace(/Us$/, '');
  const name = own(statisticAliases, plain) ?? plain;
  return own(statistics, name) === undefined ? undefined : name;
}

const resourceFields: Partial<Record<keyof ResourceUse, Pick<Metric, 'unit' | 'better' | 'scale'>>> = {
  cpuPercent: { unit: 'percent', better: 'lower', scale: 'difference' },
  rssBytes: { unit: 'bytes', better: 'lower', scale: 'ratio' },
  pssBytes: { unit: 'bytes', better: 'lower', scale: 'ratio' },
  eventLoopUtilization: { unit: 'share', better: 'lower', scale: 'difference' },
  idlePercent: { unit: 'percent', better: 'higher', scale: 'difference' },
  stolenPercent: { unit: 'percent', better: 'lower', scale: 'difference' },
};

/** Totals over all roles and over all categories of data. */
export const totals = ['cpuUsPerRequest.total', 'exposureBytes.total'] as const;

/** Names of the metrics by role, category of data or class of requests that these cells have. */
export function* namesByPart(cells: readonly Cell[]): Generator<string> {
  for (const { cpuUsPerRequest, exposureBytes, resources, rttByClass = {} } of cells) {
    for (const name of Object.keys(rttByClass)) yield `rttByClass.${name}.median`;
    for (const role of Object.keys(cpuUsPerRequest)) yield `cpuUsPerRequest.${role}`;
    for (const category of Object.keys(exposureBytes)) yield `exposureBytes.${category}`;
    for (const [role, use] of Object.entries(resources)) {
      for (const field of Object.keys(use)) if (field in resourceFields) yield `resources.${role}.${field}`;
    }
  }
}

/**
 * `cpuUsPerRequest.ROLE`, `exposureBytes.CATEGORY`, `resources.ROLE.FIELD`, `rttByClass.CLASS.STATISTIC`; undefined for
 * any other name.
 */
export function metricByPart(name: string): Metric | undefined {
  const [head = '', ...rest] = name.split('.');
  const tail = rest.join('.');
  if (tail === '') return undefined;
  if (head === 'cpuUsPerRequest') {
    return {
      name,
      ...lower('us', ({ cpuUsPerRequest }) => own(cpuUsPerRequest, tail)),
      scale: 'ratio',
      isQueueless: true,
    };
  }
  if (head === 'exposureBytes') {
    return { name, ...lower('bytes', (cell) => exposedBytes(cell, tail)), isQueueless: true };
  }
  if (head === 'rttByClass') return classMetric(rest);
  return head === 'resources' ? resourceMetric(name, rest) : undefined;
}

function classMetric(rest: readonly string[]): Metric | undefined {
  const [of, statistic] = [rest.slice(0, -1).join('.'), statisticNamed(rest.at(-1) ?? '')];
  if (of === '' || statistic === undefined) return undefined;
  return summaryMetric(`rttByClass.${of}.${statistic}`, statistic, ({ rttByClass = {} }) => own(rttByClass, of));
}

/** A statistic of a summary, and the requests behind it. */
export function summaryMetric(
  name: string,
  statistic: string,
  summaryOf: (cell: Cell) => Summary | undefined,
  hasFewOperations: (cell: Cell) => boolean = () => false,
): Metric {
  const key = own(statistics, statistic);
  const min = key && minCountOf(key);
  return {
    name,
    ...lower('us', (cell) => key && summaryOf(cell)?.[key]),
    scale: 'ratio',
    requests(cell) {
      const count = summaryOf(cell)?.count;
      return min === undefined || !count || hasFewOperations(cell) ? undefined : { count, min };
    },
  };
}

function resourceMetric(name: string, [role = '', field = '']: readonly string[]): Metric | undefined {
  const about = own(resourceFields, field) as Pick<Metric, 'unit' | 'better' | 'scale'> | undefined;
  return about && { name, ...about, read: ({ resources }) => own(resources, role)?.[field as keyof ResourceUse] };
}

/** Deployments start before the load and stop after it, so no queue is part of their cost. */
function costOfDeployment(
  unit: 'us' | 'bytes',
  read: (deployment: DeploymentHistory) => number | undefined,
): Omit<Metric, 'name'> {
  const readCell: Metric['read'] = ({ deployment }) => deployment && read(deployment);
  return { ...lower(unit, readCell), scale: 'ratio', isQueueless: true };
}

/** Share of one outcome among all requests: completed, refused, failed and unfinished. */
function shareOf(outcome: keyof Cell['outcomes']): Omit<Metric, 'name'> {
  return lower(
    'share',
    ({ outcomes }) => outcomes[outcome] / Object.values(outcomes).reduce((sum, count) => sum + count, 0),
  );
}

/** A category that is not listed had no exposure: 0. Undefined under `none`, which refuses nothing. */
function exposedBytes({ factors, exposureBytes: byCategory }: Cell, category: string): number | undefined {
  if (!isEnforced(factors.architecture)) return undefined;
  if (category === 'total') return Object.values(byCategory).reduce((sum, bytes) => sum + bytes, 0);
  return own(byCategory, category) ?? 0;
}

/** Figures as rows for other programs: one per cell, or one per repetition. The first row is the header. */
import type { Cell, Summary } from '@topo-bench/core/schema/result';
import { median } from '@topo-bench/stats';
import { type CsvValue, formatCsv } from './csv.ts';
import { exposedBytes } from './model/cell-group.ts';
import type { Report } from './read-report.ts';

const summaryKeys = [
  'count',
  'minUs',
  'q1Us',
  'medianUs',
  'q3Us',
  'p95Us',
  'p99Us',
  'p999Us',
  'maxUs',
  'meanUs',
  'stdUs',
] as const;
const effects = ['allow', 'deny', 'redact', 'reroute', 'wrong'] as const;
const deploymentKeys = ['readyMs', 'stopMs', 'memoryBytes'] as const;
const outcomes = ['completed', 'refused', 'error', 'unfinished'] as const;

/**
 * A row per cell: medians over its valid repetitions, counts as sums over them. Field names are those of `cells.json`.
 */
export function cellRows(report: Report): CsvValue[][] {
  const header = [
    ...report.factors.map(({ name }) => name),
    ...['planned', 'valid', 'invalid', 'offeredRps', 'achievedRps'],
    ...summaryHeader('rtt'),
    ...(report.study.publishedMedianUs ? ['publishedMedianUs'] : []),
    ...summaryHeader('responseTime'),
    ...[
      'cpuUsPerRequest',
      'hopsPerRequest',
      'hopsBetweenNodesPerRequest',
      ...outcomes,
      ...effects,
      'exposureBytes',
      'flags',
    ],
    ...deploymentKeys.map((key) => `deployment.${key}`),
    ...(report.study.csv?.keys ?? []),
  ];
  const rows = report.groups.map(({ factors, planned, valid, invalid, figures }): CsvValue[] => [
    ...report.factors.map(({ name }) => factors[name]),
    ...[planned, valid.length, invalid.length, figures?.offeredRps, figures?.achievedRps],
    ...summaryValues(figures?.rtt),
    ...(report.study.publishedMedianUs ? [report.study.publishedMedianUs(factors)] : []),
    ...summaryValues(figures?.responseTime),
    ...[figures?.cpuUsPerRequest.total, figures?.hopsPerRequest, figures?.hopsBetweenNodesPerRequest],
    ...outcomes.map((outcome) => figures?.outcomes[outcome]),
    ...effects.map((effect) => figures?.decisions[effect]),
    figures && exposedBytes({ factors, exposureBytes: figures.exposureBytes }),
    Object.keys(figures?.flags ?? {}).join(' '),
    ...deploymentValues(valid),
    ...(report.study.csv?.values(valid) ?? []),
  ]);
  return [header, ...rows];
}

/** A row per repetition, with the reasons of invalid ones. `discarded` counts its superseded measurements. */
export function repetitionRows(report: Report): CsvValue[][] {
  // Every row has its source further on.
  const named = report.factors.filter(({ name }) => name !== 'source');
  const header = [
    ...named.map(({ name }) => name),
    ...['repetition', 'source', 'valid', 'reasons', 'flags', 'discarded', 'offeredRps', 'achievedRps'],
    ...summaryHeader('rtt'),
    ...summaryHeader('rttRefused'),
    ...summaryHeader('responseTime'),
    ...[
      'schedulerLagP99Us',
      'cpuUsPerRequest',
      'hopsPerRequest',
      'hopsBetweenNodesPerRequest',
      ...outcomes,
      ...effects,
      'exposureBytes',
    ],
    ...deploymentKeys.map((key) => `deployment.${key}`),
    ...(report.study.csv?.keys ?? []),
  ];
  const rows = report.groups.flatMap(({ factors, valid, invalid }) =>
    [...valid, ...invalid]
      .sort((a, b) => a.repetition - b.repetition)
      .map((cell): CsvValue[] => [
        ...named.map(({ name }) => factors[name]),
        ...repetitionValues(cell),
        ...deploymentValues([cell]),
        ...(report.study.csv?.values([cell]) ?? []),
      ]),
  );
  return [header, ...rows];
}

function repetitionValues(cell: Cell): CsvValue[] {
  const { repetition, source, validity, discarded = [], offeredRps, achievedRps, hops } = cell;
  return [
    ...[repetition, source, validity.valid, validity.reasons.join('; '), validity.flags.join(' ')],
    ...[discarded.length, offeredRps, achievedRps],
    ...summaryValues(cell.rtt),
    ...summaryValues(cell.rttRefused),
    ...summaryValues(cell.responseTime),
    ...[cell.schedulerLag.p99Us, cell.cpuUsPerRequest.total, hops.perRequest, hops.betweenNodesPerRequest],
    ...outcomes.map((outcome) => cell.outcomes[outcome]),
    ...effects.map((effect) => cell.decisions[effect]),
    exposedBytes(cell),
  ];
}

export function cellsCsv(report: Report): string {
  return formatCsv(cellRows(report));
}

export function repetitionsCsv(report: Report): string {
  return formatCsv(repetitionRows(report));
}

/** Medians over these repetitions; undefined where none has the figure. */
function deploymentValues(cells: readonly Cell[]): CsvValue[] {
  return deploymentKeys.map((key) => {
    const values = cells.flatMap(({ deployment }) => deployment?.[key] ?? []);
    return values.length === 0 ? undefined : median(values);
  });
}

/** Paths as in `cells.json`: `rtt.medianUs`. */
function summaryHeader(metric: string): string[] {
  return summaryKeys.map((key) => `${metric}.${key}`);
}

function summaryValues(summary: Summary | undefined): CsvValue[] {
  return summaryKeys.map((key) => summary?.[key]);
}

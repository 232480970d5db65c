/** What every form of the report (terminal, CSV, Markdown, HTML) is made from: cells with their figures, read from run folders alone. */
import { commonMetrics, type MetricTable } from '@topo-bench/comparison';
import type { RunFolder } from '@topo-bench/core';
import { cellKey } from '@topo-bench/core/cell-key';
import type { Cell } from '@topo-bench/core/schema/result';
import { openRun } from '@topo-bench/results';
import type { StudyReport, StudyReportOf } from '../study-report.ts';
import { type BoxPlot, boxPlotOf } from './box-plot.ts';
import { type CellGroup, figuresOf } from './cell-group.ts';
import { readCellSamples } from './cell-samples.ts';
import { compareByFactors, type Factor, factorsOf } from './factors.ts';
import { type Published, readPublished } from './published.ts';
import { reportLevels } from './report-levels.ts';
import { type SameRequests, sameRequestsOf } from './same-requests.ts';
import { type SampleFigures, sampleFiguresOf } from './sample-figures.ts';
import { type TimeMetric, timeMetrics } from './time-metric.ts';

export interface ReportModel {
  study: StudyReport;
  runs: RunFolder[];
  /** All factors, those with one level included. */
  factors: Factor[];
  /** Ordered by factors. Planned cells without any repetition are there, empty. */
  groups: CellGroup[];
  /** How long an unfinished request was waited for at least, in µs; NaN when runs differ or do not say. */
  drainUs: number;
  /** Figures published elsewhere, to be shown beside. */
  published: Published | undefined;
  /** By `cellKey` of the factors; empty unless asked for. */
  boxPlots: Record<TimeMetric, Map<string, BoxPlot>>;
  /** Likewise; without cells of which samples are missing. */
  sampleFigures: Map<string, SampleFigures>;
  /** Settings in which the architectures completed different requests. */
  sameRequests: SameRequests[];
  /** Figures that thresholds can name. */
  metrics: MetricTable;
}

export interface ReportOptions {
  /** Figures that thresholds can name; left out: those that every cell has. */
  metrics?: MetricTable;
  /** CSV file with published figures. */
  published?: string;
  /** Read the samples, for all that is drawn from single requests: takes time and memory in proportion to the requests of one cell. */
  boxPlots?: boolean;
}

/**
 * Reads run folders into one report; several runs become levels of a factor `run`.
 * @param studyOf finds what the study of the runs adds
 * @throws TopoBenchError what `openRun` and `studyOf` throw; `TB_PUBLISHED_INVALID`
 */
export async function readReport(
  folders: readonly string[],
  studyOf: StudyReportOf,
  options: ReportOptions = {},
): Promise<ReportModel> {
  const runs = await Promise.all(folders.map((folder) => openRun(folder)));
  const study = await studyOf(runs);
  const groups = groupCells(runs);
  const factors = factorsOf(groups);
  groups.sort((a, b) => compareByFactors(factors)(a.factors, b.factors));
  return {
    study,
    runs,
    factors,
    groups,
    drainUs: drainOf(runs, study),
    published: options.published === undefined ? undefined : await readPublished(options.published),
    ...(await figuresFromSamples(runs, options.boxPlots ? groups : [])),
    metrics: options.metrics ?? commonMetrics,
    sameRequests: study.throughGateway ? await sameRequestsOf(groups, runOfCells(runs), options.boxPlots === true) : [],
  };
}

function groupCells(runs: readonly RunFolder[]): CellGroup[] {
  const groups = new Map<string, CellGroup>();
  for (const run of runs) {
    const groupOf = (cell: Pick<Cell, 'factors' | 'source'>): CellGroup => {
      const factors = reportLevels(run, cell, runs);
      const key = cellKey(factors);
      const group = groups.get(key) ?? { factors, valid: [], invalid: [], planned: run.record.repetitions, figures: undefined };
      groups.set(key, group);
      return group;
    };
    const source = run.cells[0]?.source ?? 'measured';
    for (const factors of run.record.plannedCells) groupOf({ factors, source });
    for (const cell of run.cells) (cell.validity.valid ? groupOf(cell).valid : groupOf(cell).invalid).push(cell);
  }
  for (const group of groups.values()) group.figures = figuresOf(group.valid);
  return [...groups.values()];
}

function runOfCells(runs: readonly RunFolder[]): (cell: Cell) => RunFolder {
  const runOf = new Map<Cell, RunFolder>(runs.flatMap((run) => run.cells.map((cell) => [cell, run] as const)));
  return (cell) => runOf.get(cell) as RunFolder;
}

/** Points over time that a page can carry: all repetitions together, for each metric. */
const mostWindows = 24_000;

async function figuresFromSamples(
  runs: readonly RunFolder[],
  groups: readonly CellGroup[],
): Promise<Pick<ReportModel, 'boxPlots' | 'sampleFigures'>> {
  const runOf = runOfCells(runs);
  const boxPlots = { rtt: new Map<string, BoxPlot>(), responseTime: new Map<string, BoxPlot>() };
  const sampleFigures = new Map<string, SampleFigures>();
  const repetitions = groups.reduce((sum, { valid }) => sum + valid.length, 0);
  const windows = Math.min(60, Math.max(10, Math.floor(mostWindows / repetitions)));
  // One after the other: the samples of one cell at a time are in memory.
  for (const group of groups) {
    const key = cellKey(group.factors);
    const samples = await readCellSamples(group.valid, runOf);
    for (const metric of timeMetrics) {
      const boxPlot = boxPlotOf(group, samples, metric);
      if (boxPlot) boxPlots[metric].set(key, boxPlot);
    }
    if (samples && samples.length > 0) sampleFigures.set(key, sampleFiguresOf(samples, windows));
  }
  return { boxPlots, sampleFigures };
}

function drainOf(runs: readonly RunFolder[], { throughGateway }: StudyReport): number {
  const drains = new Set(runs.map(({ record }) => maxWaitUs(record, throughGateway)));
  const [drain] = drains;
  return drains.size === 1 && typeof drain === 'number' ? drain : Number.NaN;
}

/** The drain, or the gateway's deadline for a request where that is shorter. */
function maxWaitUs({ experiment, topology }: RunFolder['record'], throughGateway: boolean): unknown {
  const { drain } = (experiment ?? {}) as { drain?: unknown };
  const requestUs = (topology as { deadlines?: { request?: unknown } } | null)?.deadlines?.request;
  return throughGateway && typeof drain === 'number' && typeof requestUs === 'number' ? Math.min(drain, requestUs) : drain;
}

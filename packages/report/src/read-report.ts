/** The model of a report, of run folders or of runs in memory; all forms (terminal, CSV, Markdown, HTML) render it. */
import { commonMetrics, type MetricTable } from '@topo-bench/comparison';
import { cellKey, type RunFolder } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import { openRun } from '@topo-bench/results';
import { type BoxPlot, boxPlotOf } from './model/box-plot.ts';
import { type CellGroup, figuresOf } from './model/cell-group.ts';
import { readCellSamples } from './model/cell-samples.ts';
import { compareByFactors, factorsOf } from './model/factors.ts';
import { reportLevels } from './model/report-levels.ts';
import type { ReportModel } from './model/report-model.ts';
import { type SampleFigures, sampleFiguresOf } from './model/sample-figures.ts';
import { timeMetrics } from './model/time-metric.ts';
import type { Price } from './price.ts';
import type { StudyReport, StudyReportOf, StudyViews } from './study-report.ts';

export interface Report extends ReportModel {
  study: StudyViews;
}

export interface ReportOptions {
  /** Figures that thresholds can name; default: those that exist for every cell. */
  metrics?: MetricTable;
  /** CSV file with published figures. */
  published?: string;
  /** Price of processor time, for costs. */
  price?: Price;
  /** Read the samples, for charts of single requests. Time and memory grow with the number of requests per cell. */
  boxPlots?: boolean;
}

/**
 * Reads run folders into one report; several runs become levels of a factor `run`.
 * @param studyOf returns the report of the study
 * @throws TopoBenchError those of `openRun` and `studyOf`; `TB_PUBLISHED_INVALID`
 */
export async function readReport(
  folders: readonly string[],
  studyOf: StudyReportOf,
  options: ReportOptions = {},
): Promise<Report> {
  return reportOf(await Promise.all(folders.map((folder) => openRun(folder))), studyOf, options);
}

/**
 * The report of runs as they are in memory. Charts of single requests need the samples, in the folders of the runs.
 * @throws TopoBenchError as `readReport`
 */
export async function reportOf(
  runs: readonly RunFolder[],
  studyOf: StudyReportOf,
  options: ReportOptions = {},
): Promise<Report> {
  const study = await studyOf(runs);
  const groups = groupCells(runs);
  const factors = factorsOf(groups);
  groups.sort((a, b) => compareByFactors(factors)(a.factors, b.factors));
  const runOf = runOfCells(runs);
  const readSamples = options.boxPlots === true;
  const model: ReportModel = {
    runs,
    factors,
    groups,
    drainUs: drainOf(runs, study),
    ...(await figuresFromSamples(runOf, readSamples ? groups : [])),
    metrics: options.metrics ?? commonMetrics,
    ...(study.seriesOf && { seriesOf: study.seriesOf }),
  };
  const { published, price } = options;
  return { ...model, study: await study.views(model, { runOf, readSamples, published, price }) };
}

function groupCells(runs: readonly RunFolder[]): CellGroup[] {
  const groups = new Map<string, CellGroup>();
  for (const run of runs) {
    const groupOf = (cell: Pick<Cell, 'factors' | 'source'>): CellGroup => {
      const factors = reportLevels(run, cell, runs);
      const key = cellKey(factors);
      const group = groups.get(key) ?? {
        factors,
        valid: [],
        invalid: [],
        planned: run.record.repetitions,
        figures: undefined,
      };
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

/** Max windows on a page per time metric, over all repetitions. */
const maxWindows = 24_000;

async function figuresFromSamples(
  runOf: (cell: Cell) => RunFolder,
  groups: readonly CellGroup[],
): Promise<Pick<ReportModel, 'boxPlots' | 'sampleFigures'>> {
  const boxPlots = { rtt: new Map<string, BoxPlot>(), responseTime: new Map<string, BoxPlot>() };
  const sampleFigures = new Map<string, SampleFigures>();
  const repetitions = groups.reduce((sum, { valid }) => sum + valid.length, 0);
  const windows = Math.min(60, Math.max(10, Math.floor(maxWindows / repetitions)));
  // Sequential: only the samples of one cell are in memory at a time.
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

function drainOf(runs: readonly RunFolder[], study: StudyReport): number {
  const drains = new Set(runs.map(({ record }) => maxWaitUs(record, study)));
  const [drain] = drains;
  return drains.size === 1 && typeof drain === 'number' ? drain : Number.NaN;
}

/** The drain, or the deadline of a request if that is shorter. */
function maxWaitUs(record: RunFolder['record'], study: StudyReport): unknown {
  const { drain } = (record.experiment ?? {}) as { drain?: unknown };
  const deadlineUs = study.deadlineUs?.(record);
  return typeof drain === 'number' && deadlineUs !== undefined ? Math.min(drain, deadlineUs) : drain;
}

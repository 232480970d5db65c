/** Reads run folders into a list. No samples are read; the cells of all runs are in memory. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { MetricTable } from '@topo-bench/comparison';
import { cellKey, TopoBenchError } from '@topo-bench/core';
import { thresholdSentences } from '../model/threshold-sentences.ts';
import { type Report, readReport } from '../read-report.ts';
import type { StudyReportOf } from '../study-report.ts';
import { spreadOf } from '../trend/spread.ts';
import { changeBetween, type ListedRun, type RunList, type Series } from './run-list.ts';
import { SetupNumbers } from './setup-numbers.ts';

interface ReadRun {
  folder: string;
  report: Report;
}

/**
 * @param folders run folders
 * @param metrics the first metric of a cell's study is its figure
 */
export async function readRunList(
  folders: readonly string[],
  studyOf: StudyReportOf,
  metrics: MetricTable,
): Promise<RunList> {
  const read: ReadRun[] = [];
  const unreadable: RunList['unreadable'] = [];
  for (const folder of folders) {
    try {
      read.push({ folder, report: await readReport([folder], studyOf, { metrics }) });
    } catch (error) {
      if (!(error instanceof TopoBenchError)) throw error;
      unreadable.push({ folder, problem: error.message });
    }
  }
  read.sort((a, b) => compareText(startedAt(a), startedAt(b)) || compareText(a.folder, b.folder));
  const setups = new SetupNumbers();
  const series = new Map<string, Series>();
  const runs: ListedRun[] = [];
  for (const { folder, report } of read) {
    const run = await listedRun(folder, report, setups);
    runs.push(run);
    addPoints(series, run, report, metrics);
  }
  return { runs, series: [...series.values()], unreadable };
}

async function listedRun(folder: string, report: Report, setups: SetupNumbers): Promise<ListedRun> {
  const [run] = report.runs as [Report['runs'][number]];
  const { record, cells } = run;
  const valid = cells.filter(({ validity }) => validity.valid);
  const flags: Record<string, number> = {};
  for (const flag of valid.flatMap(({ validity }) => validity.flags)) flags[flag] = (flags[flag] ?? 0) + 1;
  const hasPage = await stat(join(folder, 'report.html')).then(
    (found) => found.isFile(),
    () => false,
  );
  return {
    folder,
    name: record.name,
    study: record.study,
    startedAt: record.startedAt,
    status: record.status,
    version: record.environment.topoBench,
    ref: record.sideBySide && `${record.sideBySide.side} ${record.sideBySide.ref}`,
    cells: report.groups.length,
    repetitions: cells.length,
    valid: valid.length,
    flags,
    answer: valid.length > 0 ? report.study.answer?.()[0] : undefined,
    thresholds: thresholdSentences(report),
    setup: setups.of(run),
    hasPage,
  };
}

function addPoints(series: Map<string, Series>, run: ListedRun, { groups }: Report, metrics: MetricTable): void {
  for (const { factors, valid } of groups) {
    const [first] = valid;
    if (!first) continue;
    const name = metrics.defaultOf(valid);
    const metric = metrics.named(name, valid);
    const figure = spreadOf(valid.map((cell) => metric.read(cell) ?? Number.NaN));
    if (Number.isNaN(figure.value)) continue;
    const p95 = name.endsWith('.median') ? metrics.named(name.replace(/median$/, 'p95'), valid) : undefined;
    const key = `${run.name} ${first.source} ${name} ${cellKey(factors)}`;
    const { source } = first;
    const one = series.get(key) ?? {
      experiment: run.name,
      source,
      factors,
      metric: name,
      unit: metric.unit,
      points: [],
    };
    series.set(key, one);
    const before = one.points.findLast((point) => point.run.setup.number === run.setup.number);
    one.points.push({
      run,
      figure,
      p95: p95 && spreadOf(valid.map((cell) => p95.read(cell) ?? Number.NaN)),
      change: before && changeBetween(before.run, before.figure, figure),
    });
  }
}

function startedAt({ report }: ReadRun): string {
  return report.runs[0]?.record.startedAt ?? '';
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The work of `report`: run folders in, one document out; a folder of runs becomes a list of them. */
import { join } from 'node:path';
import { TopoBenchError } from '@topo-bench/core';
import {
  type CsvValue,
  cellRows,
  formatCsv,
  type Report,
  readReport,
  renderMarkdown,
  renderPage,
  renderSummary,
  repetitionRows,
  requestRows,
  summaryTable,
  writeReport,
} from '@topo-bench/report';
import { encodeTable } from '@topo-bench/results';
import { studyMetrics, studyReportOf } from '@topo-bench/studies';
import { pageScript } from '../../built-files.ts';
import { jsonText, printLine, terminal } from '../../output.ts';
import { pageSimulator } from '../../page-simulator.ts';
import { writeNamedFile } from '../../write-file.ts';
import { isCalibration, reportCalibration } from './calibration-report.ts';
import { isListOfRuns, listRuns } from './list-runs.ts';
import type { ReportFlags } from './options.ts';
import { publishedOf } from './published-of.ts';

export async function action(runs: readonly string[], flags: ReportFlags): Promise<void> {
  const isList = !isCalibration(runs) && (await isListOfRuns(runs, flags));
  requirePageOfRun(runs, isList, flags);
  if (isCalibration(runs)) return printLine(await reportCalibration(runs[0] as string, flags));
  if (isList) return listRuns(runs, flags);
  const format = flags.json ? 'json' : flags.format;
  const published = flags.published === true ? await publishedOf(runs) : flags.published;
  const { pricePerCoreHour: price, summary = false } = flags;
  const model = await readReport(runs, studyReportOf, {
    boxPlots: !summary && (format === 'html' || format === 'table'),
    metrics: studyMetrics,
    ...(published !== undefined && { published }),
    ...(price && { price }),
  });
  if (summary) return printLine(await writeSummaryPage(runs, flags, model));
  if (format === 'html' && flags.out === undefined) return printLine(await writePage(runs, flags, model));
  if (format === 'parquet') return printLine(await writeParquet(flags, model));
  const text = await render(format, flags, model);
  if (flags.out === undefined) {
    process.stdout.write(text);
    return;
  }
  await writeNamedFile(flags.out, text);
  printLine(flags.out);
}

/** @throws TopoBenchError `TB_USAGE` for `--calibration` where no page has sliders */
function requirePageOfRun(runs: readonly string[], isList: boolean, flags: ReportFlags): void {
  const { calibration, format, json, summary } = flags;
  if (calibration === undefined) return;
  const others: readonly [boolean | undefined, string][] = [
    [isCalibration(runs), 'a calibration'],
    [isList, 'a list of runs'],
    [runs.length > 1, `${runs.length} runs`],
    [summary, '--summary'],
    [json, '--json'],
    [format !== 'html', `--format ${format}`],
  ];
  const [other] = others.filter(([is]) => is);
  if (!other) return;
  throw new TopoBenchError('TB_USAGE', `--calibration adds sliders to the page of one run: got ${other[1]}`, {
    hint: 'leave one of them out',
  });
}

/** Writes the page of one run to its folder; several runs need `--out`. */
async function writePage(runs: readonly string[], flags: ReportFlags, model: Report): Promise<string> {
  const [folder, ...others] = runs;
  if (folder !== undefined && others.length === 0) {
    return writeReport(folder, model, await pageScript(), await pageSimulator(model, flags));
  }
  throw new TopoBenchError('TB_USAGE', 'a page of several runs needs --out', {
    hint: 'name a file: --out report.html',
  });
}

async function writeSummaryPage(runs: readonly string[], { out }: ReportFlags, model: Report): Promise<string> {
  const [folder, ...others] = runs;
  const path = out ?? (folder !== undefined && others.length === 0 ? join(folder, 'summary.html') : undefined);
  if (path === undefined) {
    throw new TopoBenchError('TB_USAGE', 'a summary of several runs needs --out', {
      hint: 'name a file: --out summary.html',
    });
  }
  await writeNamedFile(path, renderSummary(model));
  return path;
}

async function writeParquet({ out, rows: kind }: ReportFlags, model: Report): Promise<string> {
  if (out === undefined) {
    throw new TopoBenchError('TB_USAGE', '--format parquet needs --out: a terminal shows no Parquet', {
      hint: 'name a file: --out figures.parquet',
    });
  }
  const [header = [], ...rows] = await rowsOf(kind, model);
  await writeNamedFile(out, encodeTable(header as string[], rows));
  return out;
}

async function rowsOf(kind: ReportFlags['rows'], model: Report): Promise<CsvValue[][]> {
  if (kind === 'requests') return requestRows(model);
  return kind === 'repetitions' ? repetitionRows(model) : cellRows(model);
}

async function render(
  format: Exclude<ReportFlags['format'], 'parquet'>,
  flags: ReportFlags,
  model: Report,
): Promise<string> {
  const { rows } = flags;
  switch (format) {
    case 'html':
      return renderPage(model, await pageScript(), await pageSimulator(model, flags));
    case 'md':
      return renderMarkdown(model);
    case 'csv':
      return formatCsv(await rowsOf(rows, model));
    case 'json':
      return jsonText({ runs: model.runs.map(({ folder, record, cells }) => ({ runDir: folder, record, cells })) });
    case 'table':
      return summaryTable(model, { ...terminal(), colours: false });
  }
}

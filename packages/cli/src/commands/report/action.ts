/** The work of `report`: run folders in, one document out; a folder of runs becomes a list of them. */
import { TopoBenchError } from '@topo-bench/core';
import {
  cellsCsv,
  type Report,
  readReport,
  renderMarkdown,
  renderPage,
  repetitionsCsv,
  summaryTable,
  writeReport,
} from '@topo-bench/report';
import { studyMetrics, studyReportOf } from '@topo-bench/studies';
import { pageScript } from '../../built-files.ts';
import { jsonText, printLine } from '../../output.ts';
import { writeNamedFile } from '../../write-file.ts';
import { isListOfRuns, listRuns } from './list-runs.ts';
import type { ReportFlags } from './options.ts';

export async function action(runs: readonly string[], flags: ReportFlags): Promise<void> {
  if (await isListOfRuns(runs, flags)) return listRuns(runs, flags);
  const format = flags.json ? 'json' : flags.format;
  const model = await readReport(runs, studyReportOf, {
    boxPlots: format === 'html' || format === 'table',
    metrics: studyMetrics,
    ...(flags.published !== undefined && { published: flags.published }),
  });
  if (format === 'html' && flags.out === undefined) return printLine(await writePage(runs, model));
  const text = await render(format, flags, model);
  if (flags.out === undefined) {
    process.stdout.write(text);
    return;
  }
  await writeNamedFile(flags.out, text);
  printLine(flags.out);
}

/** Writes the page of one run to its folder; several runs need `--out`. */
async function writePage(runs: readonly string[], model: Report): Promise<string> {
  const [folder, ...others] = runs;
  if (folder !== undefined && others.length === 0) return writeReport(folder, model, await pageScript());
  throw new TopoBenchError('TB_USAGE', 'a page of several runs needs --out', {
    hint: 'name a file: --out report.html',
  });
}

async function render(format: ReportFlags['format'], { rows }: ReportFlags, model: Report): Promise<string> {
  switch (format) {
    case 'html':
      return renderPage(model, await pageScript());
    case 'md':
      return renderMarkdown(model);
    case 'csv':
      return rows === 'repetitions' ? repetitionsCsv(model) : cellsCsv(model);
    case 'json':
      return jsonText({ runs: model.runs.map(({ folder, record, cells }) => ({ runDir: folder, record, cells })) });
    case 'table':
      return summaryTable(model, { columns: process.stdout.columns ?? 120, colours: false });
  }
}

/** The work of `report`: run folders in, one document out. */
import { writeFile } from 'node:fs/promises';
import { TopoBenchError } from '@topo-bench/core';
import {
  cellsCsv,
  type ReportModel,
  readReport,
  renderMarkdown,
  renderPage,
  repetitionsCsv,
  summaryTable,
  writeReport,
} from '@topo-bench/report';
import { pageScript } from '../../built-files.ts';
import { jsonText, printLine } from '../../output.ts';
import type { ReportFlags } from './options.ts';

export async function report(runs: readonly string[], flags: ReportFlags): Promise<void> {
  const format = flags.json ? 'json' : flags.format;
  const model = await readReport(runs, {
    boxPlots: format === 'html' || format === 'table',
    ...(flags.published !== undefined && { published: flags.published }),
  });
  if (format === 'html' && flags.out === undefined) return printLine(await writePage(runs, model));
  const text = await render(format, flags, model);
  if (flags.out === undefined) process.stdout.write(text);
  else await write(flags.out, text);
}

/** One run: into its folder. Several have none in common. */
async function writePage(runs: readonly string[], model: ReportModel): Promise<string> {
  const [folder, ...others] = runs;
  if (folder !== undefined && others.length === 0) return writeReport(folder, model, await pageScript());
  throw new TopoBenchError('TB_USAGE', 'several runs on one page need a file to write to', { hint: 'add --out report.html' });
}

async function render(format: ReportFlags['format'], { rows }: ReportFlags, model: ReportModel): Promise<string> {
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

async function write(path: string, text: string): Promise<void> {
  await writeFile(path, text).catch((cause: Error) => {
    throw new TopoBenchError('TB_FILE_NOT_WRITABLE', `cannot write ${path}: ${cause.message}`, { cause });
  });
  printLine(path);
}

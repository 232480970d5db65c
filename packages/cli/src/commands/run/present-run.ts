/** The end of a run: the table on standard output, the report in the run folder, and where to find both. */
import { dirname, resolve } from 'node:path';
import { formatError } from '@topo-bench/core';
import type { ResolvedExperiment, RunResult } from '@topo-bench/experiment';
import { readReport, summaryTable, writeReport } from '@topo-bench/report';
import { studyMetrics, studyReportOf } from '@topo-bench/studies';
import { pageScript } from '../../built-files.ts';
import { note, printLine, terminal } from '../../output.ts';

export interface Presentation {
  /** CSV with published figures to show next to the measured ones. */
  published: string | undefined;
  /** Nothing on standard output. */
  quiet: boolean;
}

/** The file that `--published` asks for: the one it names, else the one that the experiment names. */
export async function publishedFile(
  flag: string | true | undefined,
  { experiment, inputs }: ResolvedExperiment,
): Promise<string | undefined> {
  if (flag === undefined || typeof flag === 'string') return flag;
  if (experiment.published !== undefined) return resolve(dirname(inputs.experiment.file), experiment.published);
  note('warning: --published shows nothing: the experiment names no published figures');
  return undefined;
}

export async function presentRun({ folder }: RunResult, { published, quiet }: Presentation): Promise<void> {
  const report = await readReport([folder], studyReportOf, {
    boxPlots: true,
    metrics: studyMetrics,
    ...(published !== undefined && { published }),
  });
  const print = quiet ? note : printLine;
  if (!quiet) printLine(summaryTable(report, terminal()));
  print(`run folder: ${folder}`);
  // The figures are on disk already: a report that cannot be written does not fail the run.
  await pageScript()
    .then((script) => writeReport(folder, report, script))
    .then(
      (path) => print(`report:     ${path}`),
      (error: unknown) => note(`warning: no report: ${formatError(error)}`),
    );
}

/** The end of a run: the table on standard output, the report in the run folder, and where to find both. */
import { formatError } from '@topo-bench/core';
import type { RunResult } from '@topo-bench/experiment';
import { readReport, summaryTable, writeReport } from '@topo-bench/report';
import { studyMetrics, studyReportOf } from '@topo-bench/studies';
import { pageScript } from '../../built-files.ts';
import { note, printJson, printLine, terminal } from '../../output.ts';

export interface Presentation {
  /** CSV with published figures to show next to the measured ones. */
  published: string | undefined;
  /** One document on standard output, and everything else on standard error. */
  json: boolean;
}

export async function presentRun({ folder, cells }: RunResult, { published, json }: Presentation): Promise<void> {
  if (json) printJson({ runDir: folder, cells });
  const report = await readReport([folder], studyReportOf, {
    boxPlots: true,
    metrics: studyMetrics,
    ...(published !== undefined && { published }),
  });
  const print = json ? note : printLine;
  if (!json) printLine(summaryTable(report, terminal()));
  print(`run folder: ${folder}`);
  // The figures are already on disk: a failure to write the report does not fail the run.
  await pageScript()
    .then((script) => writeReport(folder, report, script))
    .then(
      (path) => print(`report:     ${path}`),
      (error: unknown) => note(`warning: no report: ${formatError(error)}`),
    );
}

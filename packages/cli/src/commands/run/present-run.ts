/** The end of a run: the table on standard output, the report in the run folder, where to find both, the exit code. */
import { formatError } from '@topo-bench/core';
import { summaryTable, writeReport } from '@topo-bench/report';
import type { Run } from '@topo-bench/workbench';
import { pageScript } from '../../built-files.ts';
import { note, printJson, printLine, terminal } from '../../output.ts';
import { pageSimulator } from '../../page-simulator.ts';

export interface Presentation {
  /** CSV with published figures to show next to the measured ones. */
  published: string | undefined;
  /** One document on standard output, and everything else on standard error. */
  json: boolean;
}

export async function presentRun(run: Run, { published, json }: Presentation): Promise<void> {
  const { folder, cells, failure } = run;
  if (json) printJson({ runDir: folder, cells });
  const report = await run.report({ boxPlots: true, ...(published !== undefined && { published }) });
  const print = json ? note : printLine;
  if (!json) printLine(summaryTable(report, terminal()));
  print(`run folder: ${folder}`);
  // The figures are already on disk: a failure to write the report does not fail the run.
  await Promise.all([pageScript(), pageSimulator(report)])
    .then(([script, simulator]) => writeReport(folder, report, script, simulator))
    .then(
      (path) => print(`report:     ${path}`),
      (error: unknown) => note(`warning: no report: ${formatError(error)}`),
    );
  if (!failure) return;
  // Printed, not thrown: with `--json`, standard output already carries its one document.
  note(formatError(failure));
  process.exitCode = failure.exitCode;
}

/** Writes the page to the run folder atomically. */
import { join } from 'node:path';
import { TopoBenchError } from '@topo-bench/core';
import { writeFileAtomically } from '@topo-bench/results';
import { type PageSimulator, renderPage } from './html/page.ts';
import type { Report } from './read-report.ts';

const reportFileName = 'report.html';

/**
 * @param report read with `boxPlots: true`
 * @param script of the page
 * @param simulator as for `renderPage`
 * @returns path of the file
 * @throws TopoBenchError `TB_RUN_FOLDER_DISK_FULL`, `TB_RUN_FOLDER_NOT_WRITABLE`
 */
export async function writeReport(
  folder: string,
  report: Report,
  script: string,
  simulator?: PageSimulator,
): Promise<string> {
  const path = join(folder, reportFileName);
  try {
    await writeFileAtomically(path, renderPage(report, script, simulator));
  } catch (error) {
    if (!(error instanceof TopoBenchError) || error.code !== 'TB_RUN_FOLDER_DISK_FULL') throw error;
    // The run itself is complete: a resume would find no work.
    const hint = `the results are kept; free some space, then write the page with \`topo-bench report ${folder}\``;
    throw new TopoBenchError(error.code, error.message, { cause: error, hint });
  }
  return path;
}

/** Puts the page into the run folder, whole or not at all. */
import { join } from 'node:path';
import { writeFileAtomically } from '@topo-bench/results/atomic-file';
import { renderPage } from './html/page.ts';
import type { ReportModel } from './model/report-model.ts';

export const reportFileName = 'report.html';

/**
 * @param report read with `boxPlots: true`
 * @param script of the page
 * @returns path of the file
 * @throws TopoBenchError `TB_RUN_FOLDER_DISK_FULL`, `TB_RUN_FOLDER_NOT_WRITABLE`
 */
export async function writeReport(folder: string, report: ReportModel, script: string): Promise<string> {
  const path = join(folder, reportFileName);
  await writeFileAtomically(path, renderPage(report, script));
  return path;
}

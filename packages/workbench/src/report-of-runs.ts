/** The report of runs in memory, with the figures of all kinds of study. */
import type { RunFolder } from '@topo-bench/core';
import { type Report, type ReportOptions, reportOf } from '@topo-bench/report';
import { studyMetrics, studyReportOf } from '@topo-bench/studies';

export function reportOfRuns(
  runs: readonly RunFolder[],
  options: Omit<ReportOptions, 'metrics'> = {},
): Promise<Report> {
  return reportOf(runs, studyReportOf, { ...options, metrics: studyMetrics });
}

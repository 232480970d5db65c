/**
 * The persistence study in a terminal: thresholds of the experiment, averages, scores, hypotheses, and every level of
 * load.
 */
import type { ReportModel } from '@topo-bench/report/model/report-model';
import { thresholdSentences } from '@topo-bench/report/model/threshold-sentences';
import type { StudyTable } from '@topo-bench/report/study-table';
import { studyTableLines } from '@topo-bench/report/terminal/study-table-lines';
import type { Styles } from '@topo-bench/report/terminal/styles';
import { printable, wrapped } from '@topo-bench/report/terminal/text';

export function terminalSections(
  report: ReportModel,
  tables: readonly StudyTable[],
  columns: number,
  styles: Styles,
): string[][] {
  const thresholds = thresholdSentences(report).flatMap((sentence) => wrapped(printable(sentence), columns));
  return [thresholds, ...tables.map((table) => studyTableLines(table, columns, styles))];
}

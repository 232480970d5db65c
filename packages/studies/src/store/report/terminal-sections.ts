/**
 * The persistence study in a terminal: thresholds of the experiment, averages, scores, hypotheses, and every level of
 * load.
 */
import type { StudyTable } from '@topo-bench/report';
import { type ReportModel, thresholdSentences } from '@topo-bench/report/model';
import { printable, type Styles, studyTableLines, wrapped } from '@topo-bench/report/terminal';

export function terminalSections(
  report: ReportModel,
  tables: readonly StudyTable[],
  columns: number,
  styles: Styles,
): string[][] {
  const thresholds = thresholdSentences(report).flatMap((sentence) => wrapped(printable(sentence), columns));
  return [thresholds, ...tables.map((table) => studyTableLines(table, columns, styles))];
}

/** The persistence study in a terminal: thresholds of the experiment, averages, scores, hypotheses, and every level of load. */
import type { ReportModel } from '../model/report-model.ts';
import { thresholdSentences } from '../model/threshold-sentences.ts';
import { studyTables } from '../persistence/study-tables.ts';
import { printable } from './printable.ts';
import { studyTableLines } from './study-table-lines.ts';
import type { Styles } from './styles.ts';
import { wrapped } from './wrapped.ts';

export function storeSections(report: ReportModel, columns: number, styles: Styles): string[][] {
  const thresholds = thresholdSentences(report).flatMap((sentence) => wrapped(printable(sentence), columns));
  return [thresholds, ...studyTables(report).map((table) => studyTableLines(table, columns, styles))];
}

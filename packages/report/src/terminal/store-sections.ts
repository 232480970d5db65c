/** The persistence study in a terminal: averages, scores, hypotheses, and every level of load. */
import type { ReportModel } from '../model/report-model.ts';
import { studyTables } from '../persistence/study-tables.ts';
import { studyTableLines } from './study-table-lines.ts';
import type { Styles } from './styles.ts';

export function storeSections(report: ReportModel, columns: number, styles: Styles): string[][] {
  return studyTables(report).map((table) => studyTableLines(table, columns, styles));
}

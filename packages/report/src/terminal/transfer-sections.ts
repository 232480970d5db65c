/** Bulk transfers in a terminal: the answer in sentences, then the tables. */
import { transferSentences } from '../flight/transfer-sentences.ts';
import { transferTables } from '../flight/transfer-tables.ts';
import type { ReportModel } from '../model/report-model.ts';
import { printable } from './printable.ts';
import { studyTableLines } from './study-table-lines.ts';
import type { Styles } from './styles.ts';
import { wrapped } from './wrapped.ts';

export function transferSections(report: ReportModel, columns: number, styles: Styles): string[][] {
  const [headline = '', ...more] = transferSentences(report);
  const points = more.flatMap((sentence) =>
    wrapped(printable(sentence), columns - 2).map((line, at) => `${at === 0 ? '• ' : '  '}${line}`),
  );
  return [
    [...wrapped(printable(headline), columns).map(styles.bold), ...points],
    ...transferTables(report).map((table) => studyTableLines(table, columns, styles)),
  ];
}

/** Bulk transfers in a terminal: the answer in sentences, then the tables. */
import type { StudyTable } from '@topo-bench/report';
import type { ReportModel } from '@topo-bench/report/model';
import { printable, type Styles, studyTableLines, wrapped } from '@topo-bench/report/terminal';
import { transferSentences } from './transfer-sentences.ts';

export function terminalSections(
  report: ReportModel,
  tables: readonly StudyTable[],
  columns: number,
  styles: Styles,
): string[][] {
  const [headline = '', ...more] = transferSentences(report);
  const points = more.flatMap((sentence) =>
    wrapped(printable(sentence), columns - 2).map((line, at) => `${at === 0 ? '• ' : '  '}${line}`),
  );
  return [
    [...wrapped(printable(headline), columns).map(styles.bold), ...points],
    ...tables.map((table) => studyTableLines(table, columns, styles)),
  ];
}

/** A study in a terminal: the answer in sentences, then the tables. */
import type { StudyTable } from '@topo-bench/report';
import { type Styles, sentenceLines, studyTableLines } from '@topo-bench/report/terminal';

export function terminalSections(
  sentences: readonly string[],
  tables: readonly StudyTable[],
  columns: number,
  styles: Styles,
): string[][] {
  return [sentenceLines(sentences, columns, styles), ...tables.map((table) => studyTableLines(table, columns, styles))];
}

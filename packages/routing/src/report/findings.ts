/** Findings of all cells: sentences and a table, in a terminal and on the page. */
import type { StudyTable } from '@topo-bench/report';
import { html, type Section, section } from '@topo-bench/report/html';
import { type Styles, studyTableLines, wrapped } from '@topo-bench/report/terminal';
import { tableMarkup } from '@topo-bench/study-kit/table-sections';

export interface Findings {
  sentences: string[];
  table: StudyTable;
}

export function findingsSection({ sentences, table }: Findings): Section {
  const paragraphs = sentences.map((sentence) => html`<p>${sentence}</p>`);
  return section(table.id, table.title, table.note, ...paragraphs, tableMarkup(table));
}

export function findingsLines({ sentences, table }: Findings, columns: number, styles: Styles): string[] {
  return [
    ...sentences.flatMap((sentence) => wrapped(`• ${sentence}`, columns)),
    '',
    ...studyTableLines({ ...table, note: '' }, columns, styles).filter((line) => line !== ''),
    ...wrapped(table.note, columns),
  ];
}

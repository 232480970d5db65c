/** Tables of a study on the page. */
import type { StudyTable } from '@topo-bench/report';
import { dataTable, type Markup, type Section, section } from '@topo-bench/report/html';

/** A section has the title of its table: two landmarks must not share a name. */
export function tableMarkup({ title, columns, rows, cells }: StudyTable): Markup {
  return dataTable(`${title}, as a table`, columns, rows, cells);
}

/** The sections of the tables with that id; none if the study has no such table for these runs. */
export function tableSections(tables: readonly StudyTable[], id: string): Section[] {
  return tables
    .filter((table) => table.id === id)
    .map((table) => section(id, table.title, table.note, tableMarkup(table)));
}

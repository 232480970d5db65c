/** A table of texts, identical in the terminal, in Markdown and on the page. */
export interface StudyTable {
  id: string;
  title: string;
  /** How to read it. */
  note: string;
  columns: { heading: string; number: boolean; text?: boolean }[];
  rows: string[][];
  /** For each row, the cells that it shows, used by the page's filter; absent if rows have no cells. */
  cells?: RowCells[];
}

/**
 * Cells behind a row, as indexes in the report. The page shows a row of several cells with any of them, and a row that
 * compares cells (`all`) with all of them. A row without cells is always shown.
 */
export type RowCells = number | readonly number[] | { all: readonly number[] } | undefined;

/** Columns by their headings. */
export function textColumn(heading: string): StudyTable['columns'][number] {
  return { heading, number: false };
}

/** Cells are sentences, which the page breaks into lines. */
export function sentenceColumn(heading: string): StudyTable['columns'][number] {
  return { heading, number: false, text: true };
}

/** Aligned to the right. */
export function numberColumn(heading: string): StudyTable['columns'][number] {
  return { heading, number: true };
}

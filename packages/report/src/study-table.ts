/** A table of texts, identical in the terminal, in Markdown and on the page. */
export interface StudyTable {
  id: string;
  title: string;
  /** How to read it. */
  note: string;
  columns: { heading: string; number: boolean; text?: boolean }[];
  rows: string[][];
  /** For each row, the index of its cell in the report, used by the page's filter; absent if rows are not cells. */
  cells?: number[];
}

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

/**
 * A plain table of texts, scrolling sideways by itself where the page is narrow, and folded away where a chart says it
 * already.
 */
import { type Content, html, type Markup } from './safe-html.ts';

export interface TableColumn {
  heading: string;
  /** Figures are aligned to the right. */
  number?: boolean;
  /** Sentences are broken into lines. */
  text?: boolean;
}

/**
 * @param label what the table holds, for screen readers
 * @param cells per row, the place of its cell among those of the report, by which the page filters; left out where rows
 * are no cells
 */
export function dataTable(
  label: string,
  columns: readonly TableColumn[],
  rows: readonly (readonly Content[])[],
  cells?: readonly number[],
): Markup {
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table class="data"><thead><tr>${columns.map(
    ({ heading, number }) => html`<th scope="col"${number && html` class="number"`}>${heading}</th>`,
  )}</tr></thead><tbody>${rows.map(
    (row, at) =>
      html`<tr${cells && html` data-cell="${cells[at]}"`}>${row.map((value, column) => html`<td${classOf(columns[column])}>${value}</td>`)}</tr>`,
  )}</tbody></table></div>`;
}

function classOf(column: TableColumn | undefined): Content {
  if (column?.number) return html` class="number"`;
  return column?.text && html` class="text"`;
}

export function folded(summary: string, content: Content): Markup {
  return html`<details><summary>${summary}</summary>${content}</details>`;
}

/** A plain text table, and an element that folds its content. The table scrolls horizontally if the page is narrow. */
import type { RowCells } from '../study-table.ts';
import { type Content, html, type Markup } from './safe-html.ts';

export interface TableColumn {
  heading: string;
  /** Aligns the column to the right, for figures. */
  number?: boolean;
  /** Wraps the column, for sentences. */
  text?: boolean;
}

/**
 * @param label description of the table for screen readers
 * @param cells per row, the cells that it shows, used by the page's filter; omitted if rows have no cells
 */
export function dataTable(
  label: string,
  columns: readonly TableColumn[],
  rows: readonly (readonly Content[])[],
  cells?: readonly RowCells[],
): Markup {
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table class="data"><thead><tr>${columns.map(
    ({ heading, number }) => html`<th scope="col"${number && html` class="number"`}>${heading}</th>`,
  )}</tr></thead><tbody>${rows.map(
    (row, at) =>
      html`<tr${filterOf(cells?.[at])}>${row.map((value, column) => html`<td${classOf(columns[column], value)}>${value}</td>`)}</tr>`,
  )}</tbody></table></div>`;
}

function filterOf(cells: RowCells): Content {
  if (cells === undefined) return undefined;
  if (typeof cells === 'number') return html` data-cell="${cells}"`;
  if ('all' in cells) return html` data-all-cells="${cells.all.join(' ')}"`;
  return cells.length > 0 && html` data-cells="${cells.join(' ')}"`;
}

/** Texts of more characters get a wider column where the page is narrow. */
const longText = 80;

function classOf(column: TableColumn | undefined, value: Content): Content {
  if (column?.number) return html` class="number"`;
  if (!column?.text) return undefined;
  return typeof value === 'string' && value.length > longText ? html` class="text long"` : html` class="text"`;
}

export function folded(summary: string, content: Content): Markup {
  return html`<details><summary>${summary}</summary>${content}</details>`;
}

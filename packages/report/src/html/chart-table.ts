/**
 * A chart as a table: each row has a label, a drawn strip and figures. It works with screen readers, in print and
 * without a mouse.
 */
import type { Layout, Panel } from './facets.ts';
import { colourClass } from './palette.ts';
import { type Content, html, type Markup } from './safe-html.ts';

export interface ChartRow {
  strip: Content;
  /** Right-hand columns, in the order of the headings. */
  figures: Content[];
}

export interface ChartOptions {
  layout: Layout;
  /** Heading of the strip column. */
  stripHeading: string;
  figureHeadings: string[];
  row: (cell: Panel['groups'][number]['rows'][number]['cell']) => ChartRow;
  /** Axis below the strips. */
  axis?: Markup;
}

/** One table per panel, next to each other if the width allows. */
export function chartTables(options: ChartOptions): Markup {
  return html`<div class="panels${options.layout.panels.length === 1 && ' single'}">${options.layout.panels.map((panel) => chartTable(panel, options))}</div>`;
}

function chartTable(panel: Panel, { layout, stripHeading, figureHeadings, row, axis }: ChartOptions): Markup {
  const columns = 2 + figureHeadings.length;
  const axisLine = (drawn: Markup | undefined): Content =>
    drawn &&
    html`<tr aria-hidden="true" class="axis-line"><td></td><td class="strip">${drawn}</td><td colspan="${figureHeadings.length}"></td></tr>`;
  return html`<div class="panel"><table class="chart">${panel.title !== '' && html`<caption>${panel.title}</caption>`}
<thead><tr><th scope="col">${layout.compared?.name ?? ''}</th><th scope="col"><span class="quiet">${stripHeading}</span></th>${figureHeadings.map((heading) => html`<th scope="col" class="number">${heading}</th>`)}</tr>${longPanel(panel) && axisLine(axis)}</thead>
${panel.groups.map(
  ({
    title,
    rows,
  }) => html`<tbody>${title !== '' && html`<tr class="group"><th scope="rowgroup" colspan="${columns}">${title}</th></tr>`}
${rows.map(({ label, level, cell, index }) => {
  const { strip, figures } = row(cell);
  return html`<tr class="${colourClass(layout.compared, level)}" data-cell="${index}"><th scope="row"><i class="swatch"></i>${label}</th><td class="strip">${strip}</td>${figures.map((figure) => html`<td class="number">${figure}</td>`)}</tr>`;
})}</tbody>`,
)}
${axis && html`<tfoot>${axisLine(axis)}</tfoot>`}</table></div>`;
}

/** True if the axis below the last row may be out of sight. Such panels repeat the axis above the first row. */
function longPanel({ groups }: Panel): boolean {
  return groups.reduce((sum, { rows }) => sum + rows.length, 0) > 8;
}

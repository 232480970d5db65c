/** Bulk transfers on the page: the answer, throughput against streams, what Flight saves, what governance costs, every cell. */

import { formatCount } from '../../figure-text.ts';
import { levelsOf, type TransferCell, transferCells } from '../../flight/transfer-cells.ts';
import { protocolName, transferSentences } from '../../flight/transfer-sentences.ts';
import { transferTables } from '../../flight/transfer-tables.ts';
import type { ReportModel } from '../../model/report-model.ts';
import type { StudyTable } from '../../study-table.ts';
import { dataTable, folded } from '../data-table.ts';
import { lineChart, lineLegend } from '../line-chart.ts';
import { html, type Markup } from '../safe-html.ts';
import { type Section, section } from '../section.ts';

export function transferSections(report: ReportModel): Section[] {
  const cells = transferCells(report);
  const tables = transferTables(report);
  const plain = (id: string): Section[] =>
    tables.filter((table) => table.id === id).map((table) => section(id, table.title, table.note, markupOf(table)));
  const throughput = tables.find(({ id }) => id === 'throughput') as StudyTable;
  const [headline, ...more] = transferSentences(report);
  return [
    section(
      'answer',
      'Answer',
      '',
      html`<p class="headline">${headline}</p>`,
      more.length > 0 && html`<ul>${more.map((sentence) => html`<li>${sentence}</li>`)}</ul>`,
    ),
    ...plain('savings'),
    ...plain('governance'),
    section(
      'throughput',
      'Throughput against streams',
      throughput.note,
      charts(cells),
      levelsOf(cells, 'streams').length > 1 ? folded('As a table', markupOf(throughput)) : markupOf(throughput),
    ),
    ...plain('published'),
    ...plain('by-cell'),
    ...plain('resources'),
  ];
}

/** A panel for each operation (and protocol, and what else varies), a line for each number of rows. */
function charts(cells: readonly TransferCell[]): Markup | undefined {
  const streams = levelsOf(cells, 'streams');
  if (streams.length < 2) return undefined;
  const rows = levelsOf(cells, 'rows');
  const panels = new Map<string, TransferCell[]>();
  for (const cell of cells) {
    const title = [protocolName(cell.protocol), cell.operation, ...(cell.others ? [cell.others] : [])].join(', ');
    panels.set(title, [...(panels.get(title) ?? []), cell]);
  }
  const drawn = [...panels].map(([title, own]) =>
    lineChart({
      title,
      heading: 'MB/s',
      axis: 'streams',
      levels: streams,
      lines: rows.map((count) => ({
        name: `${formatCount(count)} rows`,
        values: streams.map(
          (stream) =>
            own.find((cell) => cell.streams === stream && cell.rows === count)?.figures.megabytesPerSecond ?? Number.NaN,
        ),
      })),
    }),
  );
  return html`${lineLegend(rows.map((count) => `${formatCount(count)} rows per stream`))}<div class="plots">${drawn}</div>`;
}

function markupOf({ title, columns, rows }: StudyTable): Markup {
  return dataTable(title, columns, rows);
}

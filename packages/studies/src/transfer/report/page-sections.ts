/**
 * Bulk transfers on the page: the answer, throughput against streams, savings of Flight, cost of governance, every
 * cell.
 */
import { formatCount, formatFigure, type StudyTable } from '@topo-bench/report';
import {
  barStrip,
  dataTable,
  folded,
  html,
  lineChart,
  lineLegend,
  type Markup,
  type Section,
  section,
} from '@topo-bench/report/html';
import type { ReportModel } from '@topo-bench/report/model';
import { levelsOf, type TransferCell, transferCells } from './transfer-cells.ts';
import { protocolName, transferSentences } from './transfer-sentences.ts';

export function pageSections(report: ReportModel, tables: readonly StudyTable[]): Section[] {
  const cells = transferCells(report);
  const plain = (id: string): Section[] =>
    tables.filter((table) => table.id === id).map((table) => section(id, table.title, table.note, markupOf(table)));
  const throughput = tables.find(({ id }) => id === 'throughput') as StudyTable;
  const varies = levelsOf(cells, 'streams').length > 1;
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
      varies ? 'Throughput against streams' : 'Throughput',
      throughput.note,
      varies ? charts(cells) : bars(cells),
      folded('As a table', markupOf(throughput)),
    ),
    ...plain('published'),
    ...plain('by-cell'),
    ...plain('resources'),
  ];
}

/** A panel per operation, protocol and other varying factors, a line per number of rows, on one scale. */
function charts(cells: readonly TransferCell[]): Markup {
  const streams = levelsOf(cells, 'streams');
  const rows = levelsOf(cells, 'rows');
  const panels = new Map<string, TransferCell[]>();
  for (const cell of cells) panels.set(panelTitle(cell), [...(panels.get(panelTitle(cell)) ?? []), cell]);
  const speed = (own: readonly TransferCell[], count: number, stream: number): number =>
    own.find((cell) => cell.streams === stream && cell.rows === count)?.figures.megabytesPerSecond ?? Number.NaN;
  const drawn = [...panels].map(([title, own]) =>
    lineChart({
      title,
      heading: 'MB/s',
      axis: 'streams',
      levels: streams,
      lines: rows.map((count) => ({
        name: `${formatCount(count)} rows`,
        values: streams.map((stream) => speed(own, count, stream)),
      })),
      most: fastest(cells),
    }),
  );
  return html`${lineLegend(rows.map((count) => `${formatCount(count)} rows per stream`))}<div class="plots">${drawn}</div>`;
}

/** A bar per cell, if the number of streams does not vary. */
function bars(cells: readonly TransferCell[]): Markup {
  const most = fastest(cells);
  const rows = cells.map((cell) => {
    const value = cell.figures.megabytesPerSecond;
    const text = `${formatFigure(value)} MB/s`;
    const name = [
      panelTitle(cell),
      ...(levelsOf(cells, 'rows').length > 1 ? [`${formatCount(cell.rows)} rows`] : []),
    ].join(', ');
    return [name, barStrip([{ label: name, value, fill: 'fill-service' }], most, () => text), text];
  });
  return dataTable(
    'Throughput of each cell',
    [{ heading: 'cell' }, { heading: '', text: true }, { heading: 'MB/s', number: true }],
    rows,
  );
}

function panelTitle({ protocol, operation, others }: TransferCell): string {
  return [protocolName(protocol), operation, ...(others ? [others] : [])].join(', ');
}

function fastest(cells: readonly TransferCell[]): number {
  return Math.max(0, ...cells.map(({ figures }) => figures.megabytesPerSecond).filter((speed) => !Number.isNaN(speed)));
}

function markupOf({ title, columns, rows }: StudyTable): Markup {
  return dataTable(title, columns, rows);
}

/**
 * Bulk transfers on the page: the answer, throughput against streams, savings of Flight, cost of governance, every
 * cell.
 */
import { formatCount, formatFigure, type StudyTable } from '@topo-bench/report';
import {
  answerBody,
  barStrip,
  chartFigure,
  dataTable,
  drawnFigure,
  folded,
  type Markup,
  type Section,
  section,
  staticPanels,
  trendSections,
  usageFigure,
} from '@topo-bench/report/html';
import type { ReportModel } from '@topo-bench/report/model';
import { tableMarkup, tableSections } from '@topo-bench/study-kit/table-sections';
import { transferTime } from '../metrics.ts';
import { levelsOf, type TransferCell, transferCells } from './transfer-cells.ts';
import { panelTitle, transferCharts } from './transfer-charts.ts';
import { transferSentences } from './transfer-sentences.ts';

export function pageSections(report: ReportModel, tables: readonly StudyTable[]): Section[] {
  const cells = transferCells(report);
  const throughput = tables.find(({ id }) => id === 'throughput') as StudyTable;
  const varies = levelsOf(cells, 'streams').length > 1;
  return [
    section('answer', 'Result', undefined, answerBody(transferSentences(report))),
    ...tableSections(tables, 'savings'),
    ...tableSections(tables, 'governance'),
    section(
      'throughput',
      varies ? 'Throughput against streams' : 'Throughput',
      throughput.note,
      varies
        ? drawnFigure({
            title: 'Median and repetitions',
            name: 'throughput',
            draw: 'lines',
            lead: 'Line: median over the valid repetitions. Bars: its 95% interval, with fewer than six repetitions the smallest and the largest. Points: each repetition.',
            without: staticPanels(transferCharts(report).throughput ?? []),
          })
        : chartFigure({ title: 'Throughput of each cell', name: 'throughput' }, bars(cells)),
      folded('As a table', tableMarkup(throughput)),
      usageFigure(report),
    ),
    ...trendSections(report, transferTime),
    ...tableSections(tables, 'published'),
    ...tableSections(tables, 'by-cell'),
    ...tableSections(tables, 'resources'),
  ];
}

/** A bar per cell, if the number of streams does not vary. */
function bars(cells: readonly TransferCell[]): Markup {
  const max = Math.max(0, ...cells.flatMap(({ speeds }) => [...speeds.values()]));
  const rows = cells.map((cell) => {
    const value = cell.figures.megabytesPerSecond;
    const all = [...cell.speeds.values()];
    const range = all.length > 1 ? ` (${formatFigure(Math.min(...all))} to ${formatFigure(Math.max(...all))})` : '';
    const text = `${formatFigure(value)} MB/s${range}`;
    const name = [
      panelTitle(cell),
      ...(levelsOf(cells, 'rows').length > 1 ? [`${formatCount(cell.rows)} rows`] : []),
    ].join(', ');
    const spread = { median: value, repetitions: all };
    return [name, barStrip([{ label: name, value, fill: 'fill-service' }], max, () => text, spread), text];
  });
  return dataTable(
    'Throughput of each cell',
    [
      { heading: 'cell' },
      { heading: `linear, 0 to ${formatFigure(max)} MB/s`, text: true },
      { heading: 'MB/s', number: true },
    ],
    rows,
    cells.map(({ index }) => index),
  );
}

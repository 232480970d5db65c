/** A data-access study on the page: the answer, the parts of each variant's time, the price of layers, volumes. */
import { formatUs } from '@topo-bench/core';
import { formatCount, type StudyTable } from '@topo-bench/report';
import {
  answerBody,
  barStrip,
  chartFigure,
  dataTable,
  drawnFigure,
  folded,
  html,
  legend,
  type Markup,
  type Section,
  section,
  staticPanels,
} from '@topo-bench/report/html';
import type { ReportModel } from '@topo-bench/report/model';
import { tableMarkup, tableSections } from '@topo-bench/study-kit/table-sections';
import { variantName } from '../variants.ts';
import { type AccessCell, accessCells, type PartName, partNames, sourceName } from './access-cells.ts';
import { volumePanels } from './access-charts.ts';
import { accessSentences } from './access-sentences.ts';

export function pageSections(report: ReportModel, tables: readonly StudyTable[]): Section[] {
  const cells = accessCells(report);
  const tableOf = (id: string): StudyTable | undefined => tables.find((table) => table.id === id);
  const parts = tableOf('parts') as StudyTable;
  return [
    section('answer', 'Result', undefined, answerBody(accessSentences(report))),
    section('parts', 'Where the time goes', parts.note, partFigure(cells), folded('As a table', tableMarkup(parts))),
    ...tableSections(tables, 'prices'),
    ...tableSections(tables, 'options'),
    ...volumeSection(report, tableOf('slopes')),
    ...tableSections(tables, 'findings'),
    ...tableSections(tables, 'by-cell'),
    ...tableSections(tables, 'resources'),
  ];
}

/** Starts are warm, reads are cool. */
const fills: Readonly<Record<PartName, { label: string; fill: string }>> = {
  discover: { label: 'discover', fill: 'fill-level k-5' },
  image: { label: 'image, create and start', fill: 'fill-level k-1' },
  create: { label: 'image, create and start', fill: 'fill-level k-1' },
  start: { label: 'image, create and start', fill: 'fill-level k-1' },
  'first-byte': { label: 'connect and first byte', fill: 'fill-level k-3' },
  connect: { label: 'connect and first byte', fill: 'fill-level k-3' },
  read: { label: 'read', fill: 'fill-level k-0' },
  conversion: { label: 'conversion', fill: 'fill-level k-2' },
  return: { label: 'return', fill: 'fill-level k-4' },
};

function partFigure(cells: readonly AccessCell[]): Markup {
  return chartFigure({ title: 'Parts of the time', name: 'parts' }, partBars(cells));
}

/** A table of bars for each source, volume and query; bars of a table share one scale, whatever the filter shows. */
function partBars(cells: readonly AccessCell[]): Markup {
  const groups = new Map<string, AccessCell[]>();
  for (const cell of cells) groups.set(titleOf(cell), [...(groups.get(titleOf(cell)) ?? []), cell]);
  const used = partNames.filter((name) => cells.some(({ parts }) => (parts[name] ?? 0) > 0));
  const entries = new Map(used.map((name) => [fills[name].label, fills[name]]));
  const drawn = [...groups].map(([title, own]) => {
    const max = Math.max(...own.flatMap((cell) => [totalOf(cell), ...cell.durations.values()]));
    const rows = own.map((cell) => {
      const bars = used.map((name) => ({ label: name, value: cell.parts[name] ?? 0, fill: fills[name].fill }));
      const name = [variantName(cell.variant), ...(cell.others ? [cell.others] : [])].join(', ');
      const spread = { median: cell.figures.durationMs, repetitions: [...cell.durations.values()] };
      const strip = barStrip(bars, max, ({ label, value }) => `${label} ${formatUs(value * 1e3)}`, spread);
      return [name, Number.isNaN(cell.figures.durationMs) ? '–' : formatUs(cell.figures.durationMs * 1e3), strip];
    });
    const axis = `linear, 0 to ${formatUs(max * 1e3)}`;
    const columns = [{ heading: 'variant' }, { heading: 'time', number: true }, { heading: axis, text: true }];
    const indices = own.map(({ index }) => index);
    // The page hides a panel without visible rows.
    return html`<div class="panel"><h3>${title}</h3>${dataTable(`Parts of the time, ${title}`, columns, rows, indices)}</div>`;
  });
  const note = 'Bars: median of each part. Strokes: median of the time. Points: time of each repetition.';
  return html`<p class="note">${note}</p>${legend([...entries.values()])}${drawn}`;
}

function totalOf({ parts }: AccessCell): number {
  return Object.values(parts).reduce((sum, value) => sum + value, 0);
}

function titleOf({ source, volume, query }: AccessCell): string {
  const of = query === 'one-row' ? 'one row of ' : '';
  return `${sourceName(source)}, ${of}${formatCount(volume)} rows`;
}

function volumeSection(report: ReportModel, slopes: StudyTable | undefined): Section[] {
  if (!slopes) return [];
  return [
    section(
      'volumes',
      'Throughput over volume',
      slopes.note,
      drawnFigure({
        title: 'Median and repetitions',
        name: 'volumes',
        draw: 'lines',
        lead: 'Line: median over the valid repetitions. Bars: its 95% interval, with fewer than six repetitions the smallest and the largest. Points: each repetition.',
        without: staticPanels(volumePanels(report)),
      }),
      tableMarkup(slopes),
    ),
  ];
}

/**
 * A stream study on the page: the answer, throughput as bars, latencies, the pattern of access, resources, and the
 * check of heat maps.
 */
import type { StudyTable } from '@topo-bench/report';
import {
  answerBody,
  chartFigure,
  drawnFigure,
  folded,
  html,
  type Section,
  section,
  staticPanels,
} from '@topo-bench/report/html';
import type { ReportModel } from '@topo-bench/report/model';
import { tableMarkup, tableSections } from '@topo-bench/study-kit/table-sections';
import { latencyPanels } from './latency-charts.ts';
import { operatorCharts, operatorPanels } from './operator-chart.ts';
import { publishedBars } from './published-bars.ts';
import type { PublishedMean } from './published-means.ts';
import { type StreamCell, streamCells } from './stream-cells.ts';
import { streamSentences } from './stream-sentences.ts';
import { throughputBars } from './throughput-bars.ts';

export function pageSections(
  report: ReportModel,
  tables: readonly StudyTable[],
  published?: readonly PublishedMean[],
): Section[] {
  const cells = streamCells(report);
  const [throughput, latency] = ['throughput', 'latency'].map((name) => tables.find(({ id }) => id === name)) as [
    StudyTable,
    StudyTable,
  ];
  return [
    section('answer', 'Result', undefined, answerBody(streamSentences(report))),
    section(
      'throughput',
      'Throughput of each database',
      'Bars: median over the valid repetitions at full speed. Lines: its 95% interval. Points: each repetition.',
      chartFigure({ title: 'Throughput at full speed', name: 'throughput' }, throughputBars(cells)),
      folded(
        'Every cell, with sustained rates',
        html`<p class="note">${throughput.note}</p>${tableMarkup(throughput)}`,
      ),
    ),
    ...publishedSection(
      tables.find(({ id }) => id === 'published'),
      published,
      cells,
    ),
    ...tableSections(tables, 'databases'),
    ...tableSections(tables, 'windows'),
    ...tableSections(tables, 'engines'),
    ...tableSections(tables, 'findings'),
    section(
      'latency',
      latency.title,
      latency.note,
      drawnFigure({
        title: 'End-to-end latency by percentile',
        name: 'latency',
        draw: 'lines',
        lead: 'Line: median over the valid repetitions. Bars: its 95% interval, with fewer than six repetitions the smallest and the largest. Points: each repetition. Percentiles are spaced evenly.',
        without: staticPanels(latencyPanels(report)),
      }),
      tableMarkup(latency),
    ),
    section(
      'pattern',
      'Pattern of access',
      'Points or rows that each operator passed on in each tenth of a second of the job at the fixed rate: its first 10 s, from the first valid repetition. Windows turn a steady stream into bursts.',
      drawnFigure({
        title: 'Elements by operator',
        name: 'operators',
        draw: 'series',
        lead: 'The pointer marks one moment in all of them. Lines of equal value lie on each other, the first one widest: titles name operators that are equal throughout.',
        without: operatorCharts(operatorPanels(report)),
      }),
    ),
    ...tableSections(tables, 'resources'),
    ...tableSections(tables, 'checks'),
    ...tableSections(tables, 'recovery'),
    ...tableSections(tables, 'grid'),
    ...tableSections(tables, 'flink'),
  ];
}

function publishedSection(
  table: StudyTable | undefined,
  published: readonly PublishedMean[] | undefined,
  cells: readonly StreamCell[],
): Section[] {
  if (!table || !published) return [];
  const { title, note } = table;
  return [
    section(
      'published',
      title,
      note,
      chartFigure({ title: 'Published and here', name: 'published' }, publishedBars(published, cells)),
      folded('As a table', tableMarkup(table)),
    ),
  ];
}

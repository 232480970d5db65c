/**
 * A store study on the page: the answer, each metric against the load, averages, scores, verdicts on hypotheses, and
 * the configuration of the stores.
 */
import { formatCount, type StudyTable } from '@topo-bench/report';
import {
  answerBody,
  dataTable,
  drawnFigure,
  folded,
  html,
  type LinePanel,
  type Markup,
  type Section,
  section,
  staticPanels,
  trendSections,
  usageFigure,
} from '@topo-bench/report/html';
import type { ReportModel } from '@topo-bench/report/model';
import { tableMarkup, tableSections } from '@topo-bench/study-kit/table-sections';
import { storeTime } from '../metrics.ts';
import type { StoreEntry } from '../parts.ts';
import { storeSentences } from './answer-sentences.ts';
import { heatMap } from './heat-map.ts';
import { figureName, storeCharts } from './store-charts.ts';
import { type StudyMetric, studyMetrics } from './study-cells.ts';

export function pageSections(report: ReportModel, tables: readonly StudyTable[]): Section[] {
  const tableOf = (id: string): StudyTable | undefined => tables.find((table) => table.id === id);
  const [compared, hypotheses, claims] = [tableOf('comparison'), tableOf('hypotheses'), tableOf('claims')];
  const composite = tableOf('composite') as StudyTable;
  const charts = storeCharts(report);
  return [
    section('answer', 'Result', undefined, answerBody(storeSentences(report)), compared && titled(compared)),
    section(
      'against-load',
      'Against load',
      'Line: median over the valid repetitions. Bars: its 95% interval, with fewer than six repetitions the smallest and the largest. Points: each repetition. Levels of load are spaced evenly.',
      studyMetrics.map(({ key, heading }) => loadFigure(key, heading, charts[figureName(key)] ?? [])),
      folded('Every level of load as a table', tableMarkup(tableOf('by-load') as StudyTable)),
    ),
    ...trendSections(report, storeTime),
    spreadSection(report),
    ...tableSections(tables, 'averages'),
    section(
      'composite',
      composite.title,
      composite.note,
      heatMap(report),
      folded('Scores as a table', tableMarkup(composite)),
    ),
    ...(hypotheses
      ? [section('hypotheses', hypotheses.title, hypotheses.note, tableMarkup(hypotheses), claims && titled(claims))]
      : tableSections(tables, 'claims')),
    section(
      'stores',
      'Stores',
      'What each store ran on, with the settings that decide over durability, as the server reports them. Each keeps its own default: not every server has a write on the disk before it answers.',
      storesTable(report),
    ),
  ];
}

function titled(table: StudyTable): Markup {
  return html`<h3>${table.title}</h3><p class="note">${table.note}</p>${tableMarkup(table)}`;
}

function loadFigure(metric: StudyMetric, heading: string, panels: readonly LinePanel[]): Markup {
  return drawnFigure({
    title: `${heading.charAt(0).toUpperCase()}${heading.slice(1)}`,
    name: figureName(metric),
    draw: 'lines',
    lead: '',
    without: staticPanels(panels),
  });
}

/** Distributions of single requests, from the samples. */
function spreadSection(report: ReportModel): Section {
  const { sampleFigures } = report;
  return section(
    'spread',
    'Spread of response times',
    sampleFigures.size === 0
      ? 'The raw samples of this run are missing, so there is no distribution to show.'
      : 'Successful requests of all valid repetitions, pooled: p50 can differ from the median over repetitions.',
    drawnFigure({
      title: 'Response time by percentile',
      name: 'percentiles',
      lead: 'Every step to the right leaves a tenth of the requests. The last point is the slowest request.',
    }),
    drawnFigure({
      title: 'Times over a repetition',
      name: 'over-time',
      lead: 'Requests by their start, in short windows. Strong line: median of the repetitions; dots: the slowest request.',
    }),
    usageFigure(report),
  );
}

function storesTable({ groups }: ReportModel): Markup {
  const rows = new Map<string, string[]>();
  const entries: StoreEntry[] = groups.flatMap(({ valid, invalid }) => [...valid, ...invalid]);
  for (const { persistence } of entries) {
    if (!persistence) continue;
    const { configuration, server, rows: count, poolSize, reset } = persistence;
    const settings = Object.entries(server.settings).map(([name, value]) => `${name}=${value}`);
    // A resumed run may have used another server.
    rows.set([configuration, server.name, server.version, server.source, server.address].join(' '), [
      configuration,
      `${server.name} ${server.version}`,
      server.address === undefined ? server.source : `${server.source}: ${server.address}`,
      `${formatCount(count)} rows, pool of ${poolSize}`,
      `${reset.method}, ${reset.ms}\u00a0ms`,
      settings.join(', '),
    ]);
  }
  const headings = ['store', 'server', 'from', 'data', 'reset', 'settings'];
  return dataTable(
    'servers of the stores',
    headings.map((heading) => ({ heading, text: heading === 'settings' || heading === 'reset' })),
    [...rows.values()],
  );
}

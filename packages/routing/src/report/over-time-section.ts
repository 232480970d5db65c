/** Times during the load of a repetition; a growing backlog is a rising line. */
import { cellKey, factorHeading } from '@topo-bench/core';
import { formatMs, infiniteText } from '@topo-bench/report';
import {
  dataTable,
  drawnFigure,
  episodeTable,
  folded,
  html,
  type Section,
  section,
  usageFigure,
} from '@topo-bench/report/html';
import { type ReportModel, type TimeMetric, timeMetricNames, timeTenths } from '@topo-bench/report/model';
import { byMetric } from './by-metric.ts';

export function overTimeSection(report: ReportModel): Section {
  return section(
    'over-time',
    'Times within a repetition',
    'Where the load is more than the system bears, requests queue, and the line rises for as long as the load lasts. Where the line is flat, the figures do not depend on how long it was measured.',
    drawnFigure({
      title: 'Times over a repetition',
      name: 'over-time',
      lead: 'Requests by the time they were meant to be sent, in short windows. Strong line: median of the repetitions; thin lines: each repetition; dots: the slowest request. Triangles: episodes of slow requests.',
    }),
    byMetric((metric) =>
      folded(`Median ${timeMetricNames[metric]} by tenth of the load, as a table`, tenthsTable(report, metric)),
    ),
    episodeTable(report),
    usageFigure(report),
  );
}

function tenthsTable({ factors, groups, sampleFigures, drainUs }: ReportModel, metric: TimeMetric) {
  const columns = [
    ...factors.map(({ name }) => ({ heading: factorHeading(name) })),
    ...Array.from({ length: timeTenths }, (_, at) => ({ heading: `${at * 10}–${at * 10 + 10}%`, number: true })),
  ];
  const found = groups.flatMap(({ factors: levels }, at) => {
    const figures = sampleFigures.get(cellKey(levels))?.[metric];
    return figures ? [{ at, levels, figures }] : [];
  });
  const rows = found.map(({ levels, figures }) => [
    ...factors.map(({ name }) => String(levels[name] ?? '–')),
    ...figures.tenthsUs.map((us) => formatMs(us, infiniteText(drainUs, figures.tenthsUs))),
  ]);
  return [
    dataTable(
      `median ${timeMetricNames[metric]} in milliseconds by tenth of the load`,
      columns,
      rows,
      found.map(({ at }) => at),
    ),
    html`<p class="note">In ms, of the requests of all valid repetitions.</p>`,
  ];
}

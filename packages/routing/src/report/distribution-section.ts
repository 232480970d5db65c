/** Distributions of times: percentiles for the tail, and cumulative shares. */
import { cellKey, factorHeading } from '@topo-bench/core';
import { formatCount, formatMs, infiniteText } from '@topo-bench/report';
import { dataTable, drawnFigure, folded, html, type Section, section } from '@topo-bench/report/html';
import {
  quantileGrid,
  type ReportModel,
  type TimeFigures,
  type TimeMetric,
  timeMetricNames,
} from '@topo-bench/report/model';
import { byMetric } from './by-metric.ts';

/** Shares in the table; each is the nearest one of the grid. */
const shares: [string, number][] = [
  ['p10', 0.1],
  ['p50', 0.5],
  ['p90', 0.9],
  ['p99', 0.99],
  ['p99.9', 0.999],
  ['p99.99', 0.9999],
];

export function distributionSection(report: ReportModel): Section {
  return section(
    'distribution',
    'Distribution of times',
    report.sampleFigures.size === 0
      ? 'The raw samples of this run are missing, so there is no distribution to show.'
      : 'Completed requests of all valid repetitions, pooled: p50 can differ from the median over repetitions. A line that ends before its time: the rest never finished.',
    drawnFigure({
      title: 'Latency by percentile',
      name: 'percentiles',
      lead: 'The axis is log(1 − q): every step to the right leaves a tenth of the requests. The last point is the slowest request.',
    }),
    drawnFigure({
      title: 'Cumulative distribution (ECDF)',
      name: 'ecdf',
      lead: 'Share of requests that took at most so long.',
    }),
    byMetric((metric) =>
      folded(`Quantiles of the ${timeMetricNames[metric]} as a table`, quantilesTable(report, metric)),
    ),
  );
}

function quantilesTable({ factors, groups, sampleFigures, drainUs }: ReportModel, metric: TimeMetric) {
  const columns = [
    ...factors.map(({ name }) => ({ heading: factorHeading(name) })),
    ...['requests', ...shares.map(([name]) => name), 'max'].map((heading) => ({ heading, number: true })),
  ];
  const found = groups.flatMap(({ factors: levels }, at) => {
    const figures = sampleFigures.get(cellKey(levels))?.[metric];
    return figures ? [{ at, levels, figures }] : [];
  });
  const rows = found.map(({ levels, figures }) => {
    const infinite = infiniteText(drainUs, figures.quantilesUs);
    return [
      ...factors.map(({ name }) => String(levels[name] ?? '–')),
      formatCount(figures.count),
      ...shares.map(([, share]) => formatMs(quantile(figures, share), infinite)),
      formatMs(figures.quantilesUs.at(-1) ?? Number.NaN, infinite),
    ];
  });
  return [
    dataTable(
      `quantiles of the ${timeMetricNames[metric]} in milliseconds`,
      columns,
      rows,
      found.map(({ at }) => at),
    ),
    html`<p class="note">In ms, of pooled requests. A dash: there are too few requests to know.</p>`,
  ];
}

/** NaN for shares outside the grid. */
function quantile({ quantilesUs }: TimeFigures, share: number): number {
  const at = quantileGrid.findIndex((q) => Math.abs(q - share) < 1e-9);
  return at < quantilesUs.length - 1 ? (quantilesUs[at] ?? Number.NaN) : Number.NaN;
}

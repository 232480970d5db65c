/** Round-trip times: a box plot per cell in the study's layout, and every figure of them in tables. */
import { basename } from 'node:path';
import { cellKey, factorHeading } from '@topo-bench/core';
import type { Summary } from '@topo-bench/core/schema/result';
import { formatAtLeastMs, formatCount, formatMs, infiniteText, scaleFor, timesOf } from '@topo-bench/report';
import {
  axisRow,
  boxRow,
  type Content,
  chartFigure,
  chartTables,
  dataTable,
  folded,
  html,
  layOut,
  type Section,
  section,
} from '@topo-bench/report/html';
import {
  type BoxPlot,
  cellsWith,
  describeLevels,
  outliersShown,
  type TimeMetric,
  timeMetricNames,
} from '@topo-bench/report/model';
import { flagTexts } from '@topo-bench/results';
import { byMetric } from './by-metric.ts';
import { publishedMedianUs } from './published-medians.ts';
import type { RoutingModel } from './routing-model.ts';
import { sameRequestSentences } from './same-request-sentences.ts';
import { sizesOf, weightedAverages } from './weighted-average.ts';

export function rttSection(report: RoutingModel): Section {
  return section(
    'round-trip-times',
    'Round-trip times',
    how(report),
    chartFigure(
      { title: 'Times by cell', name: 'box-plots' },
      byMetric((metric) => boxPlots(report, metric)),
    ),
    boxNote(report),
    byMetric((metric) =>
      folded(`All figures of the ${timeMetricNames[metric]} as a table`, figuresTable(report, metric)),
    ),
    sameRequestsTable(report),
    weightedAverageTable(report),
  );
}

function boxPlots(report: RoutingModel, metric: TimeMetric): Content {
  const boxes = report.boxPlots[metric];
  // Published figures are round-trip times.
  const published = metric === 'rtt' ? report.published : undefined;
  const publishedUs = report.groups.flatMap(({ factors }) => publishedMedianUs(published, factors) ?? []);
  const drawn = [...[...boxes.values()].flatMap(drawnUs), ...publishedUs];
  const scale = scaleFor(drawn);
  // All boxes share the axis, and therefore the label at its end.
  const infinite = infiniteText(report.drainUs, drawn);
  return chartTables({
    layout: layOut(report),
    stripHeading: `${timeMetricNames[metric]}, ${scale.kind} axis`,
    figureHeadings: ['median ms'],
    axis: axisRow(scale, infinite),
    row: ({ factors, figures }) => {
      const box = boxes.get(cellKey(factors));
      return {
        strip: box
          ? boxRow(box, scale, infinite, publishedMedianUs(published, factors))
          : html`<span class="quiet">no valid repetition</span>`,
        figures: [figures ? formatMs(figures[metric].medianUs, infinite) : '–'],
      };
    },
  });
}

/** If architectures completed different requests: medians on those that all of them completed. */
function sameRequestsTable({ sameRequests, factors, groups, drainUs }: RoutingModel): Content {
  const [first] = sameRequestSentences(sameRequests, factors);
  if (first === undefined) return undefined;
  const varying = factors.filter(({ name, levels }) => name !== 'architecture' && levels.length > 1);
  const columns = [
    { heading: 'setting' },
    { heading: 'architecture' },
    ...['requests', 'completed', 'completed by all', 'median ms of those'].map((heading) => ({
      heading,
      number: true,
    })),
  ];
  const rows = sameRequests.flatMap(({ factors: setting, levels, common }) =>
    levels.map(({ architecture, requests, completed, medianUs }) => [
      describeLevels(varying, setting) || 'all',
      architecture,
      formatCount(requests),
      formatCount(completed),
      formatCount(common),
      formatMs(medianUs, infiniteText(drainUs)),
    ]),
  );
  return [
    html`<p class="note">${first}</p>`,
    folded(
      'The same requests under every architecture',
      dataTable(
        'medians of requests that all completed',
        columns,
        rows,
        sameRequests.flatMap(({ factors: setting, levels }) =>
          levels.map(({ architecture }) => cellsWith(groups, { ...setting, architecture })),
        ),
      ),
    ),
  ];
}

function drawnUs(box: BoxPlot): number[] {
  return [box.lowUs, box.q1Us, box.medianUs, box.q3Us, box.highUs, ...box.outliersUs, ...box.repetitionMediansUs];
}

function how({ boxPlots: { rtt } }: RoutingModel): Content {
  const summarised = [...rtt.values()].some(({ from }) => from === 'summaries');
  return html`Round-trip time: from the request entering the gateway until it has been routed through all services. Response time: from the intended send time to the last byte at the client. Box: quartiles and median, each the median over the valid repetitions, as in the table. Whiskers: last completed request of all repetitions within 1.5 interquartile ranges. The same axis everywhere.${summarised && ' Where raw samples are missing, whiskers reach to minimum and maximum.'}`;
}

function boxNote({ boxPlots: { rtt }, published, drainUs }: RoutingModel): Content {
  const capped = [...rtt.values()].some(({ outliers }) => outliers > outliersShown);
  const unfinished = [...rtt.values()].some((box) => box.unfinished > 0);
  return html`<p class="note">Circles are outliers${capped && `, at most ${outliersShown} per box, evenly thinned, the most extreme kept`}. Short strokes below a box are the medians of the repetitions.${published && html` Diamonds are published medians of the round-trip time (${basename(published.file)}).`}${unfinished && ` The shaded end of the axis holds requests that had not finished ${infiniteText(drainUs).replace('> ', '')} after the load.`}</p>`;
}

const summaryFigures: [string, keyof Summary][] = [
  ['min', 'minUs'],
  ['Q1', 'q1Us'],
  ['median', 'medianUs'],
  ['Q3', 'q3Us'],
  ['p95', 'p95Us'],
  ['p99', 'p99Us'],
  ['p99.9', 'p999Us'],
  ['max', 'maxUs'],
  ['mean', 'meanUs'],
  ['std', 'stdUs'],
];

function figuresTable({ factors, groups, published, drainUs }: RoutingModel, metric: TimeMetric): Content {
  const columns = [
    ...factors.map(({ name, levels }) => ({
      heading: factorHeading(name),
      number: levels.every((level) => typeof level === 'number'),
    })),
    ...summaryFigures.map(([heading]) => ({ heading, number: true })),
    { heading: 'unfinished', number: true },
    ...(published ? [{ heading: 'published median', number: true }] : []),
    { heading: 'requests', number: true },
    { heading: 'repetitions', number: true },
    { heading: 'flags', text: true },
  ];
  const figureTexts = ({ factors: levels, figures }: RoutingModel['groups'][number]): string[] => {
    const infinite = infiniteText(drainUs, figures && timesOf(figures[metric]));
    return [
      ...summaryFigures.map(([, key]) => formatMs(figures?.[metric][key] ?? Number.NaN, infinite)),
      formatCount(figures?.outcomes.unfinished ?? Number.NaN),
      ...(published ? [formatMs(publishedMedianUs(published, levels) ?? Number.NaN, infinite)] : []),
    ];
  };
  const rows = groups
    .map((group) => ({ ...group, texts: figureTexts(group) }))
    .map(({ factors: levels, figures, valid, planned, texts }) => [
      ...factors.map(({ name }) => String(levels[name] ?? '–')),
      ...texts,
      String(figures?.[metric].count ?? 0),
      `${valid.length}/${planned}`,
      flagTexts(valid).join(', '),
    ]);
  return [
    dataTable(
      `all figures of the ${timeMetricNames[metric]} in milliseconds`,
      columns,
      rows,
      groups.map((_, at) => at),
    ),
    html`<p class="note">In ms. Each figure is the median, over the valid repetitions, of that figure in each repetition; a request that never finished makes mean and std endless.</p>`,
  ];
}

function weightedAverageTable(report: RoutingModel): Content {
  const averages = weightedAverages(report);
  const sizes = sizesOf(report);
  if (sizes.length < 2) return undefined;
  const others = report.factors.filter(({ name }) => name !== 'services');
  const columns = [
    ...others.map(({ name, levels }) => ({
      heading: factorHeading(name),
      number: levels.every((level) => typeof level === 'number'),
    })),
    { heading: 'W', number: true },
    ...(report.published ? [{ heading: 'published W', number: true }] : []),
  ];
  const rows = averages.map(({ factors, measured, published }) => [
    ...others.map(({ name }) => String(factors[name] ?? '–')),
    formatAtLeastMs(measured, report.drainUs),
    ...(report.published ? [formatAtLeastMs(published, report.drainUs)] : []),
  ]);
  return [
    html`<h3>Weighted average per service</h3><p class="note">W in ms is the mean of median/N over N = ${sizes.join(', ')} services: the time that one service adds.</p>`,
    html`<div class="narrow">${dataTable(
      'weighted average per service',
      columns,
      rows,
      averages.map(({ factors }) => cellsWith(report.groups, factors)),
    )}</div>`,
  ];
}

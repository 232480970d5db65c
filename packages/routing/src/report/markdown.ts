/** A routing study in Markdown: the answer in sentences, the figures, and the verdict of the oracle. */
import { factorHeading } from '@topo-bench/core';
import {
  escapeMarkdown,
  formatCount,
  formatFigure,
  formatMs,
  infiniteText,
  markdownLine,
  markdownTables,
  timesOf,
} from '@topo-bench/report';
import {
  type CellGroup,
  confirmedTable,
  hasUnfinished,
  rateSearchOf,
  sumDecisions,
  thresholdSentences,
  trendTables,
} from '@topo-bench/report/model';
import { flagTexts } from '@topo-bench/results';
import { answerOf } from './answer.ts';
import { decisionTable, maxRateTable } from './decision-table.ts';
import { publishedMedianUs } from './published-medians.ts';
import type { RoutingModel } from './routing-model.ts';
import { routingSentences } from './routing-sentences.ts';
import { sameRequestSentences } from './same-request-sentences.ts';

export function markdown(report: RoutingModel): string[] {
  const searched = rateSearchOf(report);
  const sentences = [...routingSentences(report), ...thresholdSentences(report)];
  const answer = searched ? undefined : answerOf(report);
  const tables = searched
    ? [maxRateTable(report, searched), confirmedTable(searched, infiniteText(report.drainUs))]
    : [...(answer ? [decisionTable(report, answer)] : []), ...trendTables(report)];
  return [
    ...sentences.map(escapeMarkdown),
    ...markdownTables(tables),
    figuresTable(report),
    'Round-trip times in ms; each figure is the median, over the valid repetitions, of that figure in each repetition.',
    ...sameRequestSentences(report.sameRequests, report.factors).map(escapeMarkdown),
    ...verdict(report),
  ];
}

const summaryFigures = [
  ['min', 'minUs'],
  ['Q1', 'q1Us'],
  ['median', 'medianUs'],
  ['Q3', 'q3Us'],
  ['p95', 'p95Us'],
  ['p99', 'p99Us'],
  ['max', 'maxUs'],
  ['mean', 'meanUs'],
  ['std', 'stdUs'],
] as const;

function figuresTable(report: RoutingModel): string {
  const { factors, groups, published, drainUs } = report;
  const isText = (at: number): boolean =>
    at < factors.length && !factors[at]?.levels.every((level) => typeof level === 'number');
  const header = [
    ...factors.map(({ name }) => factorHeading(name)),
    ...summaryFigures.map(([heading]) => heading),
    ...(hasUnfinished(report) ? ['unfinished'] : []),
    ...(published ? ['published'] : []),
    ...['sent/s', 'repetitions', 'flags'],
  ];
  const figureTexts = ({ factors: levels, figures }: CellGroup): string[] => {
    const infinite = infiniteText(drainUs, figures && timesOf(figures.rtt));
    return [
      ...summaryFigures.map(([, key]) => formatMs(figures?.rtt[key] ?? Number.NaN, infinite)),
      ...(hasUnfinished(report) ? [formatCount(figures?.outcomes.unfinished ?? Number.NaN)] : []),
      ...(published ? [formatMs(publishedMedianUs(published, levels) ?? Number.NaN, infinite)] : []),
    ];
  };
  const rows = groups
    .map((group) => ({ ...group, texts: figureTexts(group) }))
    .map(({ factors: levels, figures, valid, planned, texts }) => [
      ...factors.map(({ name }) => String(levels[name] ?? '–')),
      ...texts,
      formatFigure(figures?.achievedRps ?? Number.NaN),
      `${valid.length}/${planned}`,
      flagTexts(valid).join(', '),
    ]);
  const rule = `|${header.map((_, at) => (isText(at) || at === header.length - 1 ? '---|' : '--:|')).join('')}`;
  return [markdownLine(header), rule, ...rows.map(markdownLine)].join('\n');
}

function verdict({ groups }: RoutingModel): string[] {
  const all = sumDecisions(
    groups.flatMap(({ valid, invalid }) => [...valid, ...invalid].map(({ decisions }) => decisions)),
  );
  const made = all.allow + all.deny + all.redact + all.reroute;
  return made === 0
    ? []
    : [`${formatCount(all.wrong)} of ${formatCount(made)} decisions were wrong, as checked by the oracle.`];
}

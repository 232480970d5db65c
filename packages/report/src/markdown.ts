/** The summary as Markdown, for a pull request, an issue or a wiki: answer, figures, what was excluded. */
import type { FactorLevels } from '@topo-bench/core/schema/result';
import { flagTexts } from '@topo-bench/results';
import { formatCount, formatFigure, formatMs, infiniteText, timesOf } from './figure-text.ts';
import { hasTransfers } from './flight/transfer-cells.ts';
import { transferSentences } from './flight/transfer-sentences.ts';
import { transferTables } from './flight/transfer-tables.ts';
import { answerOf, timesInAnswer } from './model/answer.ts';
import { answerSentences } from './model/answer-sentences.ts';
import { type CellGroup, hasUnfinished, sumDecisions } from './model/cell-group.ts';
import { describeLevels, factorHeading } from './model/factors.ts';
import { discardedHeading, discardedMeasurements } from './model/measured-again.ts';
import { publishedMedianUs } from './model/published.ts';
import type { ReportModel } from './model/report-model.ts';
import { sameRequestSentences } from './model/same-request-sentences.ts';
import { thresholdSentences } from './model/threshold-sentences.ts';
import { hasStores } from './persistence/study-cells.ts';
import { studyTables } from './persistence/study-tables.ts';
import type { StudyTable } from './study-table.ts';

export function renderMarkdown(report: ReportModel): string {
  if (hasTransfers(report)) return renderStudy(report, transferSentences(report), transferTables(report));
  if (hasStores(report)) return renderStudy(report, thresholdSentences(report), studyTables(report));
  const title = report.runs.map(({ record }) => record.name).join(' · ');
  const answer = answerOf(report);
  const sentences = [
    ...(answer ? answerSentences(answer, infiniteText(report.drainUs, timesInAnswer(answer))) : []),
    ...thresholdSentences(report),
  ];
  const blocks = [
    `## ${escapeMarkdown(title)}`,
    ...sentences.map(escapeMarkdown),
    figuresTable(report),
    'Round-trip times in ms; each figure is the median, over the valid repetitions, of that figure in each repetition.',
    ...sameRequestSentences(report.sameRequests, report.factors).map(escapeMarkdown),
    ...verdict(report),
    ...excluded(report),
  ];
  return `${blocks.join('\n\n')}\n`;
}

/** A study of its own: what it says, then its tables, each under its title. */
function renderStudy(report: ReportModel, sentences: readonly string[], tables: readonly StudyTable[]): string {
  const title = report.runs.map(({ record }) => record.name).join(' · ');
  const blocks = tables.flatMap(({ title: heading, note, columns, rows }) => [
    `### ${escapeMarkdown(heading)}`,
    escapeMarkdown(note),
    [
      markdownLine(columns.map((column) => column.heading)),
      `|${columns.map(({ number }) => (number ? '--:|' : '---|')).join('')}`,
      ...rows.map(markdownLine),
    ].join('\n'),
  ]);
  return `${[`## ${escapeMarkdown(title)}`, ...sentences.map(escapeMarkdown), ...blocks, ...excluded(report)].join('\n\n')}\n`;
}

function markdownLine(texts: readonly string[]): string {
  return `| ${texts.map(escapeMarkdown).join(' | ')} |`;
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

function figuresTable(report: ReportModel): string {
  const { factors, groups, published, drainUs } = report;
  const isText = (at: number): boolean => at < factors.length && !factors[at]?.levels.every((level) => typeof level === 'number');
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

function verdict({ groups }: ReportModel): string[] {
  const all = sumDecisions(groups.flatMap(({ valid, invalid }) => [...valid, ...invalid].map(({ decisions }) => decisions)));
  const made = all.allow + all.deny + all.redact + all.reroute;
  return made === 0 ? [] : [`${formatCount(all.wrong)} of ${formatCount(made)} decisions were wrong, as checked by the oracle.`];
}

function excluded({ groups, factors }: ReportModel): string[] {
  const line = (levels: FactorLevels, repetition: number, texts: readonly string[]): string =>
    `- ${escapeMarkdown(describeLevels(factors, levels))}, repetition ${repetition}: ${escapeMarkdown(texts.join('; '))}`;
  const invalid = groups.flatMap((group) =>
    group.invalid.map(({ repetition, validity }) => line(group.factors, repetition, validity.reasons)),
  );
  const again = discardedMeasurements(groups).map((one) => line(one.factors, one.repetition, [...one.reasons, one.medians]));
  return [
    ...(invalid.length === 0 ? [] : ['Invalid repetitions, in none of the figures:', invalid.join('\n')]),
    ...(again.length === 0 ? [] : [`${discardedHeading}:`, again.join('\n')]),
  ];
}

/** Text that no Markdown reader takes for markup, a link, a mention, HTML or the end of a table cell. */
function escapeMarkdown(text: string): string {
  return text
    .replace(/[\r\n\p{Cc}]+/gu, ' ')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/@(?=\w)/g, '@\u200b')
    .replace(/[\\`*_[\]|!#~$]/g, '\\$&');
}

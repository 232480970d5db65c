/** The answer of the run, as the first section: sentences, their medians, and the comparison by cell. */
import { type CellComparison, formatChange, formatChangeInterval, formatValue } from '@topo-bench/comparison';
import { describeLevel, factorWords } from '@topo-bench/core';
import { formatMs, formatRatio, infiniteText, type StudyTable } from '@topo-bench/report';
import {
  answerBody,
  type Content,
  dataTable,
  folded,
  html,
  type Section,
  section,
  sentenceList,
} from '@topo-bench/report/html';
import {
  confirmedTable,
  describeLevels,
  probesTable,
  type RateSearchReport,
  type ReportModel,
  rateSearchOf,
  rateSearchSentences,
  thresholdSentences,
} from '@topo-bench/report/model';
import { type Answer, answerOf, timesInAnswer } from './answer.ts';
import { decisionSentences, decisionTable, maxRateTable } from './decision-table.ts';
import { eventSentences } from './event-sentences.ts';
import type { RoutingModel } from './routing-model.ts';
import { routingSentences } from './routing-sentences.ts';

export function answerSection(report: RoutingModel): Section {
  const thresholds = thresholdSentences(report);
  const searched = rateSearchOf(report);
  if (searched) return rateSection(report, searched, thresholds);
  const answer = answerOf(report);
  const events = eventSentences(report);
  if (!answer) {
    const [first, ...others] = events;
    if (first !== undefined)
      return section('answer', 'Result', undefined, answerBody([first, ...thresholds, ...others]));
    const nothing = 'No factor varies in this run, so there is nothing to compare; its figures follow.';
    return section('answer', 'Result', nothing, sentenceList(thresholds));
  }
  const [headline = '', ...more] = routingSentences(report);
  return section(
    'answer',
    'Result',
    undefined,
    answerBody([headline, ...thresholds, ...more]),
    report.groups.some((group) => group.figures) && figures(report, answer),
    comparisonTable(report, answer),
  );
}

/** The sustained rates; cells of different rates are not compared. */
function rateSection(report: RoutingModel, searched: RateSearchReport, thresholds: readonly string[]): Section {
  const [headline = '', ...more] = rateSearchSentences(searched);
  const infinite = infiniteText(report.drainUs);
  const confirmed = confirmedTable(searched, infinite);
  const probes = probesTable(searched, infinite);
  return section(
    'answer',
    'Result',
    undefined,
    answerBody([headline, ...thresholds, ...more]),
    confirmed.rows.length > 0 && tableContent(maxRateTable(report, searched)),
    confirmed.rows.length > 0 && [
      dataTable(confirmed.title, confirmed.columns, confirmed.rows),
      html`<p class="note">${confirmed.note}</p>`,
    ],
    folded(probes.title, [
      dataTable(probes.title, probes.columns, probes.rows),
      html`<p class="note">${probes.note}</p>`,
    ]),
  );
}

/** The table that decides, with its sentences; of several settings, their medians side by side before it. */
function figures(report: RoutingModel, answer: Answer): Content {
  const table = decisionTable(report, answer);
  const content = [tableContent(table), sentenceList(decisionSentences(report, answer))];
  if (answer.settings.length === 1) return content;
  return [matrix(report, answer), table.rows.length > maxRows ? folded(table.title, content) : content];
}

/** A longer table is folded. */
const maxRows = 16;

function tableContent({ title, note, columns, rows, cells }: StudyTable): Content {
  return [dataTable(title, columns, rows, cells), html`<p class="note">${note}</p>`];
}

function matrix(report: ReportModel, answer: Answer): Content {
  const { compared, reference, settings } = answer;
  const varying = report.factors.filter(({ name, levels }) => name !== compared.name && levels.length > 1);
  const infinite = infiniteText(report.drainUs, timesInAnswer(answer));
  const columns = [
    { heading: 'setting' },
    ...compared.levels.map((level) => ({ heading: describeLevel(compared.name, level), number: true })),
  ];
  const rows = settings.map(({ factors, contenders, lowest }) => [
    describeLevels(varying, factors),
    ...compared.levels.map((level) => {
      const contender = contenders.find((one) => one.level === level);
      if (!contender) return '–';
      const median = formatMs(contender.medianUs, infinite);
      return html`${contender === lowest ? html`<b>${median}</b>` : median}<small class="ratio">${change(contender.againstReference)}</small>`;
    }),
  ]);
  return [
    dataTable(`median round-trip times in milliseconds by ${factorWords(compared.name)}`, columns, rows),
    html`<p class="note">Median RTT in ms over the valid repetitions and, small, the difference to ${describeLevel(compared.name, reference)}. <b>Bold</b>: lowest${compared.name === 'architecture' && ' of those that enforce rules'}. ${dot}the difference is shown, after a correction for all cells.</p>`,
  ];
}

function change(cell: CellComparison | undefined): Content {
  if (!cell) return undefined;
  const shown = cell.verdict === 'faster' || cell.verdict === 'slower';
  // From a factor of ten, a multiple is clearer than a percentage.
  const percent = cell.differencePercent;
  return html`${shown && dot}${percent > 900 && Number.isFinite(percent) ? formatRatio(1 + percent / 100) : formatChange(percent)}`;
}

/** The table that `compare` prints. */
function comparisonTable({ factors, runs, groups }: ReportModel, { compared, reference, settings }: Answer): Content {
  const cells = settings.flatMap(({ contenders, factors: setting }) =>
    contenders.flatMap(({ level, againstReference }) =>
      againstReference ? [{ level, setting, cell: againstReference }] : [],
    ),
  );
  if (cells.length === 0 || groups.length === 0) return undefined;
  const varying = factors.filter(({ name, levels }) => name !== compared.name && levels.length > 1);
  const columns = [
    { heading: 'setting' },
    { heading: compared.name },
    ...[
      describeLevel(compared.name, reference),
      'this level',
      'difference',
      '95% interval',
      'p (corrected)',
      'repetitions',
      'could see',
    ].map((heading) => ({ heading, number: true })),
    { heading: 'verdict', text: true },
  ];
  const rows = cells.map(({ level, setting, cell }) => [
    describeLevels(varying, setting) || 'all',
    describeLevel(compared.name, level),
    formatValue(cell.baseline, 'us'),
    formatValue(cell.candidate, 'us'),
    formatChange(cell.differencePercent),
    formatChangeInterval(cell.intervalPercent),
    probability(cell.adjustedPValue),
    `${cell.repetitions.baseline.used}/${cell.repetitions.candidate.used}`,
    formatChange(cell.minimumDetectablePercent),
    cell.reason === undefined ? cell.verdict : `${cell.verdict}: ${cell.reason}`,
  ]);
  const command =
    compared.name === 'run' ? 'topo-bench compare A B' : `topo-bench compare RUN --within ${compared.name}`;
  return folded('The comparison, cell by cell', [
    dataTable('comparison cell by cell', columns, rows),
    html`<p class="note">As <code>${command}</code> prints it${runs.length > 1 && compared.name !== 'run' && ', run by run'}: the repetition is the sample, differences are Hodges–Lehmann estimates with exact rank intervals, p-values are corrected over all cells (max-T where rounds are paired, else Holm). “Could see” is the smallest change found four times out of five.</p>`,
  ]);
}

function probability(p: number): string {
  return Number.isNaN(p) ? '–' : p < 0.001 ? '< 0.001' : p.toFixed(3);
}

const dot = html`<b class="shown">●</b> `;

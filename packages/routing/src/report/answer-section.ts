/** The answer of the run, as the first section: sentences, their medians, and the comparison by cell. */
import { type CellComparison, formatChange, formatChangeInterval, formatValue } from '@topo-bench/comparison';
import { describeLevel, factorWords } from '@topo-bench/core';
import { formatMs, formatRatio, infiniteText } from '@topo-bench/report';
import {
  answerBody,
  type Content,
  colourClass,
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
  runnerSentences,
  thresholdSentences,
  trendSentences,
} from '@topo-bench/report/model';
import { type Answer, answerOf, type Contender, type Setting, timesInAnswer } from './answer.ts';
import { answerSentences } from './answer-sentences.ts';
import { eventSentences } from './event-sentences.ts';
import { askedSentences } from './asked-factors.ts';

export function answerSection(report: ReportModel): Section {
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
  const trends = trendSentences(report);
  const [headline = '', ...more] = [
    ...events,
    ...runnerSentences(report, 'median round-trip time'),
    ...askedSentences(report),
    ...trends.shown,
    ...answerSentences(answer, infiniteText(report.drainUs, timesInAnswer(answer))),
    ...trends.open,
  ];
  return section(
    'answer',
    'Result',
    undefined,
    answerBody([headline, ...thresholds, ...more]),
    report.groups.some(({ figures }) => figures) && medians(report, answer),
    comparisonTable(report, answer),
  );
}

/** The sustained rates; cells of different rates are not compared. */
function rateSection(report: ReportModel, searched: RateSearchReport, thresholds: readonly string[]): Section {
  const [headline = '', ...more] = rateSearchSentences(searched);
  const infinite = infiniteText(report.drainUs);
  const confirmed = confirmedTable(searched, infinite);
  const probes = probesTable(searched, infinite);
  return section(
    'answer',
    'Result',
    undefined,
    answerBody([headline, ...thresholds, ...more]),
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

/** One setting is a table with a row per level; several settings are a matrix. */
function medians(report: ReportModel, answer: Answer): Content {
  const [only] = answer.settings;
  return answer.settings.length === 1 && only ? oneSetting(report, answer, only) : matrix(report, answer);
}

function oneSetting(report: ReportModel, answer: Answer, { contenders, lowest }: Setting): Content {
  const { compared, reference } = answer;
  const infinite = infiniteText(report.drainUs, timesInAnswer(answer));
  const columns = [
    { heading: compared.name },
    ...['median ms', `against ${describeLevel(compared.name, reference)}`, '95% interval'].map((heading) => ({
      heading,
      number: true,
    })),
    { heading: 'verdict' },
    { heading: 'of each repetition, ms' },
  ];
  const rows = contenders.map((contender) => {
    const median = formatMs(contender.medianUs, infinite);
    const { againstReference: cell } = contender;
    return [
      html`<span class="${colourClass(compared, contender.level)}"><i class="swatch"></i></span>${describeLevel(compared.name, contender.level)}`,
      contender === lowest ? html`<b>${median}</b>` : median,
      ...(cell
        ? [formatChange(cell.differencePercent), formatChangeInterval(cell.intervalPercent), cell.verdict]
        : ['', '', contender.level === reference ? 'reference' : '']),
      repetitions(contender, infinite),
    ];
  });
  const note = `Against ${describeLevel(compared.name, reference)}: the Hodges–Lehmann estimate over the repetitions. With few or scattered repetitions it differs from the quotient of the medians.`;
  return [
    dataTable(`median round-trip times by ${factorWords(compared.name)}`, columns, rows),
    contenders.some(({ againstReference }) => againstReference) && html`<p class="note">${note}</p>`,
  ];
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

/** Single values of a few levels, else their range. */
function repetitions({ repetitionMediansUs: medians }: Contender, infinite: string): string {
  const ms = (us: number): string => formatMs(us, infinite);
  if (medians.length < 4) return medians.map(ms).join(' · ');
  return `${ms(Math.min(...medians))} … ${ms(Math.max(...medians))}`;
}

const dot = html`<b class="shown">●</b> `;

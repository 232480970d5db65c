/** What the run says, before anything else: sentences, then the medians behind them with their ratio to the reference. */
import type { Comparison } from '@topo-bench/stats';
import { formatMs, formatRatio, infiniteText } from '../../figure-text.ts';
import { type Answer, answerOf, type Contender, type Setting } from '../../model/answer.ts';
import { answerSentences } from '../../model/answer-sentences.ts';
import { describeLevel, describeLevels, type Level } from '../../model/factors.ts';
import type { ReportModel } from '../../model/report-model.ts';
import { dataTable } from '../data-table.ts';
import { colourClass } from '../palette.ts';
import { type Content, html } from '../safe-html.ts';
import { type Section, section } from '../section.ts';

export function answerSection(report: ReportModel): Section {
  const answer = answerOf(report);
  if (!answer) {
    return section('answer', 'Result', 'No factor varies in this run, so there is nothing to compare; its figures follow.');
  }
  const [headline, ...more] = answerSentences(answer, infiniteText(report.drainUs));
  return {
    ...section(
      'answer',
      'Result',
      undefined,
      html`<p class="headline">${headline}</p>`,
      more.map((sentence) => html`<p>${sentence}</p>`),
      medians(report, answer),
    ),
  };
}

/** One setting reads best down the page, a row per level; many as a matrix. */
function medians(report: ReportModel, answer: Answer): Content {
  const [only] = answer.settings;
  return answer.settings.length === 1 && only ? oneSetting(report, answer, only) : matrix(report, answer);
}

function oneSetting(report: ReportModel, { compared, reference }: Answer, { contenders, ranking }: Setting): Content {
  const infinite = infiniteText(report.drainUs);
  const columns = [
    { heading: compared.name },
    ...['median ms', 'of each repetition', `× ${describeLevel(compared.name, reference)}`, '95% interval'].map((heading) => ({
      heading,
      number: true,
    })),
  ];
  const rows = contenders.map((contender) => {
    const median = formatMs(contender.medianUs, infinite);
    const { againstReference } = contender;
    return [
      html`<span class="${colourClass(compared, contender.level)}"><i class="swatch"></i></span>${describeLevel(compared.name, contender.level)}`,
      contender === ranking?.first ? html`<b>${median}</b>` : median,
      repetitions(contender, infinite),
      formatRatio(ratioTo(contenders, reference, contender)),
      againstReference ? interval(againstReference) : '',
    ];
  });
  return dataTable(`median round-trip times by ${compared.name}`, columns, rows);
}

function matrix(report: ReportModel, { compared, reference, settings }: Answer): Content {
  const varying = report.factors.filter(({ name, levels }) => name !== compared.name && levels.length > 1);
  const infinite = infiniteText(report.drainUs);
  const columns = [
    { heading: 'setting' },
    ...compared.levels.map((level) => ({ heading: describeLevel(compared.name, level), number: true })),
  ];
  const rows = settings.map(({ factors, contenders, ranking }) => [
    describeLevels(varying, factors),
    ...compared.levels.map((level) => {
      const contender = contenders.find((one) => one.level === level);
      if (!contender) return '–';
      const median = formatMs(contender.medianUs, infinite);
      const shown = contender === ranking?.first ? html`${ranking.lead === 'shown' && dot}<b>${median}</b>` : median;
      return html`${shown}<small class="ratio">${formatRatio(ratioTo(contenders, reference, contender))}</small>`;
    }),
  ]);
  return [
    dataTable(`median round-trip times in milliseconds by ${compared.name}`, columns, rows),
    html`<p class="note">Median RTT in ms over the valid repetitions and, small, as a multiple of ${describeLevel(compared.name, reference)}. <b>Bold</b>: lowest${compared.name === 'architecture' && ' of those that enforce rules'}. ${dot}its lead over the next is shown: the 95% interval of the difference (Hodges–Lehmann, by exact rank inversion) excludes none. Each interval holds by itself, so of twenty about one misses; and the fastest was picked from the same data, which flatters its lead.</p>`,
  ];
}

/** Each of a few, the range of many. */
function repetitions({ repetitionMediansUs }: Contender, infinite: string): string {
  const ms = (us: number): string => formatMs(us, infinite);
  if (repetitionMediansUs.length <= 7) return repetitionMediansUs.map(ms).join(' ');
  return `${repetitionMediansUs.length} from ${ms(Math.min(...repetitionMediansUs))} to ${ms(Math.max(...repetitionMediansUs))}`;
}

const dot = html`<b class="shown">●</b> `;

function ratioTo(contenders: readonly Contender[], reference: Level, { medianUs }: Contender): number {
  return medianUs / (contenders.find(({ level }) => level === reference)?.medianUs ?? Number.NaN);
}

/** Of the ratio; a dash when there are too few repetitions for one. */
function interval({ intervalPercent: [low, high] }: Comparison): string {
  return low > -100 && Number.isFinite(high) ? `${formatRatio(1 + low / 100)} to ${formatRatio(1 + high / 100)}` : '–';
}

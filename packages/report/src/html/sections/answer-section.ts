/** What the run says, before anything else: sentences, then the medians behind them with their ratio to the reference. */
import { formatMs, formatRatio, infiniteText } from '../../figure-text.ts';
import { type Answer, answerOf, type Contender, type Setting } from '../../model/answer.ts';
import { describeLevel, describeLevels } from '../../model/factors.ts';
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
  const [headline, ...more] = answer.sentences;
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

function oneSetting(report: ReportModel, { compared, reference }: Answer, { contenders, first }: Setting): Content {
  const infinite = infiniteText(report.drainUs);
  const columns = [
    { heading: compared.name },
    ...['median ms', `× ${describeLevel(compared.name, reference)}`, 'repetitions from', 'to', 'valid'].map((heading) => ({
      heading,
      number: true,
    })),
  ];
  const rows = contenders.map((contender) => {
    const median = formatMs(contender.medianUs, infinite);
    return [
      html`<span class="${colourClass(compared, contender.level)}"><i class="swatch"></i></span>${describeLevel(compared.name, contender.level)}`,
      contender === first ? html`<b>${median}</b>` : median,
      formatRatio(contender.ratio),
      ...contender.rangeUs.map((us) => formatMs(us, infinite)),
      String(contender.repetitions),
    ];
  });
  return html`<div class="narrow">${dataTable(`median round-trip times by ${compared.name}`, columns, rows)}</div>`;
}

function matrix(report: ReportModel, { compared, reference, settings }: Answer): Content {
  const varying = report.factors.filter(({ name, levels }) => name !== compared.name && levels.length > 1);
  const infinite = infiniteText(report.drainUs);
  const columns = [
    { heading: 'setting' },
    ...compared.levels.map((level) => ({ heading: describeLevel(compared.name, level), number: true })),
  ];
  const rows = settings.map(({ factors, contenders, first, apart }) => [
    describeLevels(varying, factors),
    ...compared.levels.map((level) => {
      const contender = contenders.find((one) => one.level === level);
      return contender ? figure(contender, contender === first, apart, infinite) : '–';
    }),
  ]);
  return [
    dataTable(`median round-trip times in milliseconds by ${compared.name}`, columns, rows),
    html`<p class="note">Median RTT in ms over the valid repetitions and, small, as a multiple of ${describeLevel(compared.name, reference)}. <b>Bold</b>: lowest${compared.name === 'architecture' && ' of those that enforce rules'}. <b class="apart">●</b>: every repetition of it was faster than every one of the next.</p>`,
  ];
}

function figure({ medianUs, ratio }: Contender, first: boolean, apart: boolean, infinite: string): Content {
  const median = formatMs(medianUs, infinite);
  return html`${first && apart && html`<b class="apart">● </b>`}${first ? html`<b>${median}</b>` : median}<small class="ratio">${formatRatio(ratio)}</small>`;
}

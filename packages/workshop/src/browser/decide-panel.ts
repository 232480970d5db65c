/** The decision: curves over the rate, the assumptions that move the answer, and the record as files to download. */
import { colourVariable, drawPanel, type LinePanel, lines, panelFor } from '@topo-bench/report/browser';
import { median } from '@topo-bench/stats';
import { chartFigure, scrollable } from './chart-figure.ts';
import { h } from './element.ts';
import { downloadText } from './export-page.ts';
import { spoken } from './headline.ts';
import { jobControl } from './job-control.ts';
import { changedSince, type Decided, textsDigest } from './proofs.ts';
import type { AnswerFigure, Assumptions, DecidedSystem, DecideRequest } from './server-api.ts';
import type { Store } from './store.ts';

const shownAssumptions = 10;
const scopeText =
  'The decision stands for all nodes on the calibrated machine, whatever this page sets as Machines and Cores.';

export function decidePanel(store: Store): HTMLElement {
  const select = h('select', { id: 'decide-option' });
  store.on(['cells'], ({ cells }) => {
    const names = cells.map(({ architecture }) => architecture).filter((name) => name !== 'none');
    if (['', ...names].join() === [...select.options].map(({ value }) => value).join()) return;
    const before = select.value;
    const options = names.map((name) => h('option', { value: name }, spoken(name)));
    select.replaceChildren(h('option', { value: '' }, 'the one shown to be best'), ...options);
    if (names.includes(before)) select.value = before;
  });
  const result = h('div', { class: 'decided' });
  const scope = h('p', { class: 'note scope', hidden: true }, scopeText);
  const outdated = h('p', { class: 'warning outdated', hidden: true });
  let asked: Decided;
  let decided: Decided | undefined;
  const showAge = (): void => {
    const changed = decided ? changedSince(decided, store.state) : [];
    scope.hidden = decided === undefined;
    outdated.hidden = changed.length === 0;
    outdated.textContent = `Outdated: ${changed.join(', ')} changed since this decision. Decide again for a record of this page.`;
  };
  store.on(['topology', 'rules', 'settings', 'price', 'notes', 'calibration'], showAge);
  const { fields, status } = jobControl(store, {
    ...{ label: 'Decide', path: 'decide' },
    canStart: ({ problems }) => !problems.some(({ severity }) => severity === 'error'),
    body(): DecideRequest {
      const { topology, rules, settings, routers, price, notes, calibration } = store.state;
      const texts = { topology, ...(rules !== undefined && { rules }) };
      asked = { settings, texts: textsDigest(texts), price, notes, calibration };
      return { texts, settings, routers, price, notes, ...(select.value !== '' && { option: select.value }) };
    },
    take(event) {
      if (event.kind !== 'decided') return '';
      decided = asked;
      show(result, event.decided);
      showAge();
      return `Decided: ${spoken(event.decided.chosen)}. All files are in ${event.decided.folder}.`;
    },
  });
  const lead =
    'Simulates the architectures again, with all nodes on the calibrated machine, over rates from half to twice this one. Then it varies each assumption. The record follows MADR 4; its confirmation runs in CI with topo-bench confirm.';
  return h(
    'section',
    { 'aria-labelledby': 'decide-title', class: 'decide' },
    h('h2', { id: 'decide-title' }, 'Decide'),
    h('p', { class: 'note' }, lead),
    h(
      'div',
      { class: 'fields' },
      h('span', { class: 'labelled' }, h('label', { for: 'decide-option' }, 'Choose'), select),
      ...fields,
    ),
    status,
    outdated,
    scope,
    result,
  );
}

function show(place: HTMLElement, decided: DecidedSystem): void {
  const { answer, sentences, assumptions, files } = decided;
  const curves = h('div', { class: 'drawing curves' });
  const list = (texts: readonly string[]): HTMLElement => h('ul', {}, ...texts.map((text) => h('li', {}, text)));
  place.replaceChildren(
    h('div', { class: 'fields downloads' }, ...files.map(download)),
    list(answer),
    chartFigure('curves', 'Where one overtakes another', curves),
    list(sentences),
    scrollable('Sensitivity', sensitivity(assumptions)),
  );
  const data = { ...emptyCharts, lines: { rate: [panelOf(decided)] } };
  const [chart] = lines(data, { cells: new Set([0]), metric: 'rtt' }, 'rate');
  if (!chart) return;
  const panel = panelFor(chart);
  curves.append(panel);
  drawPanel({ ...chart, height: 240 }, panel);
}

const emptyCharts = { factors: [], cells: [], quantiles: [], infinite: '∞', times: [], series: {}, drawings: {} };

/** Medians over the rate, a line for each option. */
function panelOf({ curve }: DecidedSystem): LinePanel {
  const rates = [...new Set(curve.map(({ rate }) => rate))];
  const options = [...new Set(curve.map(({ option }) => option))];
  const [first = 0, last = 1] = [rates[0], rates.at(-1)];
  return {
    ...{ title: '', heading: 'median round-trip time, ms', axis: 'rate, req/s', levels: rates.map(String) },
    positions: rates.map((rate) => ((rate - first) / (last - first)) * (rates.length - 1)),
    lines: options.map((option) => ({
      name: spoken(option),
      colour: colourVariable({ name: 'architecture', levels: ['none', ...options] }, option),
      points: curve
        .filter((point) => point.option === option)
        .map(({ rate, mediansUs }) => {
          const repetitions = mediansUs.map((us) => us / 1e3);
          return {
            cell: 0,
            level: rates.indexOf(rate),
            value: median(repetitions),
            repetitions,
            count: repetitions.length,
          };
        }),
    })),
  };
}

function sensitivity({ option, against, factor, effects }: Assumptions): HTMLElement {
  const heads = ['assumption', 'source', `÷ ${factor}`, `× ${factor}`, 'remark'];
  const text = ({ percent, state }: AnswerFigure): string => state ?? `${percent > 0 ? '+' : ''}${percent.toFixed(1)}%`;
  const rows = effects.slice(0, shownAssumptions).map(({ name, source, lower, higher, agrees, overturns }) => {
    const remark = overturns ? `then ${spoken(against)} is faster` : agrees ? '' : 'within noise';
    return [name, source, text(lower), text(higher), remark];
  });
  return h(
    'table',
    { class: 'figures' },
    h('caption', {}, `Median of ${spoken(option)} against ${spoken(against)}, with one assumption changed; simulated`),
    h('thead', {}, h('tr', {}, ...heads.map((head) => h('th', { scope: 'col' }, head)))),
    h(
      'tbody',
      {},
      ...rows.map(([name = '', ...cells]) =>
        h('tr', {}, h('th', { scope: 'row' }, name), ...cells.map((cell) => h('td', {}, cell))),
      ),
    ),
  );
}

function download({ name, text }: DecidedSystem['files'][number]): HTMLElement {
  const button = h('button', { type: 'button', 'aria-label': `Download ${name}` }, name);
  button.addEventListener('click', () => downloadText(name, text, 'text/plain'));
  return button;
}

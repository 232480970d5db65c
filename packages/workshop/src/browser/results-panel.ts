/** The right side: the answer, and the figures under it. */
import { addDownloads, drawPanel, ecdf, type Markup, panelFor, simulatedMark } from '@topo-bench/report/browser';
import { boxTable, chartData, figureTable } from './answers.ts';
import { calibrationPart } from './calibration-part.ts';
import { isForCalibrated } from './calibration-text.ts';
import { chartFigure, scrollable } from './chart-figure.ts';
import { announce, h } from './element.ts';
import { headline } from './headline.ts';
import { progressText } from './marks.ts';
import type { Store } from './store.ts';

const announceAfterMs = 1200;

export function resultsPanel(store: Store): HTMLElement {
  const answer = h('p', { class: 'headline' });
  const progress = h('span', { class: 'progress-text' });
  const mark = h('span', { class: 'mark simulated' });
  const [boxes, curves, table] = ['boxes', 'ecdf', 'figures'].map((name) => h('div', { class: `drawing ${name}` }));
  const failure = h('p', { class: 'warning', hidden: true });
  const places = { boxes, curves, table } as Record<string, HTMLElement>;
  store.on(['calibration', 'settings', 'drawings'], (state) => {
    mark.textContent = simulatedMark(state.calibration, isForCalibrated(state));
  });
  let announcing: ReturnType<typeof setTimeout> | undefined;

  store.on(['cells', 'details', 'done', 'failure', 'problems', 'price', 'proofs'], (current) => {
    const state = { ...current, settings: current.asked };
    const { cells, failure: why, problems } = state;
    const hasErrors = problems.some(({ severity }) => severity === 'error');
    failure.hidden = why === undefined && !hasErrors;
    failure.textContent = why ?? 'The topology has errors: the figures are those of the last text without any.';
    progress.textContent = progressText(state);
    if (cells.length === 0 || state.done === 0) return;
    answer.textContent = headline(state, state.calibration.assumed);
    fill(places.boxes, boxTable(state));
    fill(places.table, figureTable(state));
    drawCurves(places.curves, state.cells);
    performance.mark('drawn');
    clearTimeout(announcing);
    announcing = setTimeout(() => announce(answer.textContent ?? ''), announceAfterMs);
  });
  addDownloads();
  return h(
    'section',
    { 'aria-labelledby': 'answer-title', class: 'answer' },
    h(
      'div',
      { class: 'section-head' },
      h('h2', { id: 'answer-title', tabindex: -1 }, 'What each architecture would do'),
      mark,
      progress,
    ),
    failure,
    answer,
    chartFigure('distribution', 'Round-trip time of completed requests', places.boxes as HTMLElement),
    chartFigure('ecdf', 'Share of requests by time', places.curves as HTMLElement),
    chartFigure(
      'figures',
      'Load, hops, exposure and cost',
      scrollable('Load, hops, exposure and cost', places.table as HTMLElement),
    ),
    priceField(store),
    calibrationPart(store),
  );
}

function fill(place: HTMLElement | undefined, markup: Markup): void {
  if (place) place.innerHTML = markup.text;
}

function drawCurves(place: HTMLElement | undefined, cells: Parameters<typeof chartData>[0]): void {
  const data = chartData(cells);
  const [chart] = ecdf(data, { cells: new Set(data.cells.keys()), metric: 'rtt' });
  if (!place) return;
  if (!chart) {
    place.replaceChildren(h('p', { class: 'note' }, 'No architecture keeps up: there is no distribution to draw.'));
    return;
  }
  const panel = panelFor(chart);
  place.replaceChildren(panel);
  drawPanel({ ...chart, height: 210 }, panel);
}

function priceField(store: Store): HTMLElement {
  const amount = h('input', { id: 'price', type: 'number', min: 0, step: 'any' });
  const currency = h('input', { id: 'currency', type: 'text', maxlength: 3, 'aria-label': 'Currency' });
  const change = (): void => {
    const perCoreHour = Number(amount.value);
    if (perCoreHour > 0) store.set({ price: { perCoreHour, currency: currency.value.trim() } });
  };
  amount.value = String(store.state.price.perCoreHour);
  currency.value = store.state.price.currency;
  for (const field of [amount, currency]) field.addEventListener('change', change);
  return h('p', { class: 'price' }, h('label', { for: 'price' }, 'Price of a core-hour'), amount, currency);
}

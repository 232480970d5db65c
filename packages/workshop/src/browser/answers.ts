/** The comparison as sentences and tables: what the cells show, and nothing more. */
import { formatUs } from '@topo-bench/core';
import {
  axisRow,
  boxRow,
  type ChartData,
  type Content,
  colourClass,
  colourVariable,
  costPerMonth,
  formatPrice,
  html,
  type Markup,
  scaleFor,
} from '@topo-bench/report/browser';
import type { Figure, PredictedCell } from '../predict/predicted-cell.ts';
import { isAsked } from './proofs.ts';
import type { PageState } from './store.ts';

type Compared = Pick<PageState, 'cells' | 'settings' | 'price' | 'proofs' | 'topology' | 'rules'>;

/** `central entity`, `3 dynamic routers`: names for sentences. */
export function spoken(architecture: string): string {
  if (architecture === 'none') return 'no enforcement';
  if (architecture === 'sidecar') return 'sidecars';
  const [, k] = /^dynamic-router-(\d+)$/.exec(architecture) ?? [];
  return k === undefined ? `a ${architecture.replaceAll('-', ' ')}` : `${k} dynamic router${k === '1' ? '' : 's'}`;
}

/** The architecture that enforces with the lowest median, if its interval is apart from the next one. */
export function headline({ cells, settings }: Pick<Compared, 'cells' | 'settings'>): string {
  const enforcing = cells.filter(({ architecture }) => architecture !== 'none');
  const stable = enforcing.filter(({ state }) => state === 'stable');
  const full = enforcing.filter(({ state }) => state !== 'stable');
  const rate = `At ${settings.rate} req/s`;
  if (enforcing.length === 0) return '';
  if (stable.length === 0) return `${rate} no architecture can enforce: ${full.map(limitText).join('; ')}.`;
  const [best, next] = stable.toSorted((a, b) => timeOf(a.median) - timeOf(b.median));
  const lost = full.length === 0 ? '' : ` ${capital(full.map(limitText).join('; '))}.`;
  if (!best) return '';
  const median = us(timeOf(best.median));
  if (!next) return `${rate} only ${spoken(best.architecture)} can enforce: median ${median}.${lost}`;
  if (!isApart(best.median, next.median)) {
    return `${rate} no difference is shown between ${spoken(best.architecture)} and ${spoken(next.architecture)}: medians of ${median} and ${us(timeOf(next.median))}.${lost}`;
  }
  const times = (timeOf(next.median) / timeOf(best.median)).toFixed(2);
  return `${rate} enforcement is fastest with ${spoken(best.architecture)}: median ${median}. With ${spoken(next.architecture)} it takes ${times} times as long.${lost}`;
}

function limitText({ architecture, bottleneck, maxRate, state }: PredictedCell): string {
  const verb = state === 'near' ? 'has almost no time left' : 'cannot keep up';
  return `with ${spoken(architecture)}, ${bottleneck.name} ${verb} (at most about ${rounded(maxRate)} req/s)`;
}

function isApart(low: Figure | undefined, high: Figure | undefined): boolean {
  if (!low?.interval || !high?.interval) return false;
  return low.interval[1] < high.interval[0];
}

/** Rows of boxes on one axis. */
export function boxTable(asked: Compared): Markup {
  const { cells, proofs } = asked;
  const shown = cells.flatMap(({ box }) => (box ? [box] : []));
  const scale = scaleFor(shown.flatMap(({ lowUs, highUs, outliersUs }) => [lowUs, highUs, ...outliersUs]));
  const factor = factorOf(cells);
  const rows = cells.map(({ architecture, box, median, p95, bottleneck, maxRate, state }) => {
    const proof = proofs.find((one) => one.measured.architecture === architecture && isAsked(one, asked));
    const name = html`<th scope="row"><span class="swatch ${colourClass(factor, architecture)}"></span>${architecture}</th>`;
    if (!box) {
      const text = state === 'near' ? 'near its capacity' : 'overloaded';
      return html`<tr>${name}<td class="limit" colspan="3"><b>${text}</b>: ${bottleneck.name} is ${percent(bottleneck.busy)} busy, so no time is stated; at most about ${rounded(maxRate)} req/s</td></tr>`;
    }
    return html`<tr>${name}<td class="strip ${colourClass(factor, architecture)}">${boxRow(box, scale, '∞', proof?.measured.median.value, 'measured median')}</td><td class="number">${figure(median)}</td><td class="number">${figure(p95)}</td></tr>`;
  });
  return html`<table class="chart boxes"><thead><tr><th scope="col">architecture</th><th scope="col">round-trip time${scale.kind === 'logarithmic' && ', logarithmic'}</th><th scope="col" class="number">median</th><th scope="col" class="number">p95</th></tr></thead><tbody>${rows}</tbody>${shown.length > 0 && html`<tfoot><tr class="axis-line"><td></td><td class="strip">${axisRow(scale, '∞')}</td><td></td><td></td></tr></tfoot>`}</table>`;
}

/** Everything else, a column per architecture. */
export function figureTable(state: Compared & Pick<PageState, 'settings'>): Markup {
  const { cells, settings, price } = state;
  const factor = factorOf(cells);
  const row = (heading: Content, of: (cell: PredictedCell) => Content): Markup =>
    html`<tr><th scope="row">${heading}</th>${cells.map((cell) => html`<td>${of(cell)}</td>`)}</tr>`;
  const machines = cells[0]?.machines.map(({ name }) => name) ?? [];
  const categories = [...new Set(cells.flatMap(({ exposureBytes }) => Object.keys(exposureBytes)))].sort();
  const noExposure = categories.length === 0 && row('exposure', () => 'none');
  return html`<table class="figures"><thead><tr><th scope="col">figure</th>${cells.map(({ architecture }) => html`<th scope="col"><span class="swatch ${colourClass(factor, architecture)}"></span>${architecture}</th>`)}</tr></thead><tbody>
${row('busiest part', ({ bottleneck, state: is }) => html`<b class="${is === 'stable' ? '' : 'bad'}">${bottleneck.name}</b><small class="line">${bottleneck.kind}, ${percent(bottleneck.busy)} busy</small>`)}
${machines.map((name, at) => row(name === 'machine' ? 'the machine, busy' : html`${name}, busy`, ({ machines: all }) => bar(all[at]?.busy ?? 0)))}
${row(html`max rate, about <small>req/s</small>`, ({ maxRate }) => rounded(maxRate))}
${row('hops', ({ hops }) => hops.toFixed(1))}
${row('hops between nodes', ({ hopsBetweenNodes }) => hopsBetweenNodes.toFixed(1))}
${row('refused by rules', ({ refused }) => percent(refused))}
${noExposure}${categories.map((category) => row(html`exposure, ${category} <small>bytes per request</small>`, ({ exposureBytes }) => (exposureBytes[category] ?? 0).toFixed(1)))}
${row(html`processor time <small>per request</small>`, ({ cpuUs }) => us(cpuUs))}
${row('cost per month', ({ cpuUs }) => formatPrice(price, costPerMonth(price, cpuUs, settings.rate)))}
</tbody></table>`;
}

/** The cells as the charts of reports take them. */
export function chartData(cells: readonly PredictedCell[]): ChartData {
  const factor = factorOf(cells);
  const shown = cells.filter(({ quantilesUs }) => quantilesUs !== undefined);
  return {
    ...{ factors: [], infinite: '∞', times: ['rtt'], lines: {}, series: {} },
    quantiles: Array.from({ length: 201 }, (_, i) => i / 200),
    cells: shown.map(({ architecture, quantilesUs = [], requests, unfinished }) => ({
      ...{ levels: [], label: architecture, setting: '', rates: [], colour: colourVariable(factor, architecture) },
      times: {
        rtt: {
          ...{ count: requests, unfinished, repetitions: [] },
          quantilesMs: quantilesUs.map((one) => (Number.isFinite(one) ? one / 1e3 : null)),
        },
      },
    })),
  };
}

function factorOf(cells: readonly PredictedCell[]): { name: string; levels: string[] } {
  return { name: 'architecture', levels: cells.map(({ architecture }) => architecture) };
}

function bar(share: number): Markup {
  const width = Math.min(100, 100 * share);
  return html`<svg class="share" width="64" height="8" aria-hidden="true"><rect width="64" height="8" rx="2"/><rect class="${share >= 0.9 ? 'full' : 'part'}" width="${((64 * width) / 100).toFixed(1)}" height="8" rx="2"/></svg> ${percent(share)}`;
}

export function figure(given: Figure | undefined): Markup {
  if (!given) return html`–`;
  const { value, interval } = given;
  return html`<b>${us(value)}</b>${interval && html`<small class="interval">${rangeText(interval)}</small>`}`;
}

/** The unit stands once where both ends have the same. */
function rangeText([low, high]: readonly [number, number]): string {
  const [from, to] = [us(low), us(high)];
  const [number = '', unit] = from.split(' ');
  return to.endsWith(` ${unit}`) ? `${number} – ${to}` : `${from} – ${to}`;
}

function timeOf(given: Figure | undefined): number {
  return given?.value ?? Number.POSITIVE_INFINITY;
}

export function us(value: number): string {
  return formatUs(value, '∞');
}

function percent(share: number): string {
  return `${(100 * share).toFixed(share < 0.1 ? 1 : 0)}%`;
}

export function rounded(rate: number): string {
  return Number(rate.toPrecision(2)).toLocaleString('en-US');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

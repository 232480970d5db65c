/** The comparison as tables: what the cells show, and nothing more. */
import { counted } from '@topo-bench/core';
import {
  axisRow,
  type BoxPlot,
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
import type { Details } from '../predict/details.ts';
import type { Figure, Part, PredictedCell } from '../predict/predicted-cell.ts';
import { rounded, us } from './headline.ts';
import { isAsked } from './proofs.ts';
import type { PageState } from './store.ts';

type Compared = Pick<PageState, 'cells' | 'details' | 'settings' | 'price' | 'proofs' | 'topology' | 'rules'>;

/** A measured box, and where it was measured. */
export interface MeasuredBox {
  where: string;
  box: BoxPlot;
}

/**
 * Rows of boxes on one axis.
 * @param measuredOf what was measured of an architecture, for rows below the predicted ones; default: no rows
 * @param infinite text for the time of an unfinished request
 */
export function boxTable(
  asked: Omit<Compared, 'price'>,
  measuredOf: (architecture: string) => MeasuredBox | undefined = () => undefined,
  infinite = '∞',
): Markup {
  const { cells, proofs, details } = asked;
  const measured = new Map(cells.map(({ architecture }) => [architecture, measuredOf(architecture)]));
  const shown = [
    ...cells.flatMap(({ box }) => (box ? [box] : [])),
    ...[...measured.values()].flatMap((one) => (one ? [one.box] : [])),
  ];
  const scale = scaleFor(shown.flatMap(({ lowUs, highUs, outliersUs }) => [lowUs, highUs, ...outliersUs]));
  const factor = factorOf(cells);
  const rows = cells.map(({ architecture, box, median, p95, bottleneck, maxRate, state }) => {
    const proof = proofs.find((one) => one.measured.architecture === architecture && isAsked(one, asked));
    const { uncertainty } = detailsOf(details, architecture) ?? {};
    const colour = colourClass(factor, architecture);
    const own = measured.get(architecture);
    const name = html`<th scope="row"><span class="swatch ${colour}"></span>${architecture}${own && html`<small class="line">simulated</small>`}</th>`;
    const below =
      own &&
      html`<tr class="measured"><th scope="row">measured<small class="line">${own.where}</small></th><td class="strip ${colour}">${boxRow(own.box, scale, infinite, undefined)}</td><td class="number">${us(own.box.medianUs, infinite)}</td><td class="number"></td></tr>`;
    if (!box) {
      const text = state === 'near-capacity' ? 'near its capacity' : 'overloaded';
      return html`<tr>${name}<td class="limit" colspan="3"><b>${text}</b>: ${bottleneck.name} is ${percent(bottleneck.busy)} busy, so no time is stated; at most about ${rounded(maxRate)} req/s</td></tr>${below}`;
    }
    return html`<tr>${name}<td class="strip ${colour}">${boxRow(box, scale, infinite, proof?.measured.median.value, 'measured median')}</td><td class="number">${figure(median, uncertainty?.medianUs)}</td><td class="number">${figure(p95, uncertainty?.p95Us)}</td></tr>${below}`;
  });
  return html`<table class="chart boxes"><thead><tr><th scope="col">architecture</th><th scope="col">round-trip time${scale.kind === 'logarithmic' && ', logarithmic'}</th><th scope="col" class="number">median</th><th scope="col" class="number">p95</th></tr></thead><tbody>${rows}</tbody>${shown.length > 0 && html`<tfoot><tr class="axis-line"><td></td><td class="strip">${axisRow(scale, infinite)}</td><td></td><td></td></tr></tfoot>`}</table>`;
}

/** Everything else, a column per architecture. */
export function figureTable(state: Compared & Pick<PageState, 'settings'>): Markup {
  const { cells, details, settings, price } = state;
  const factor = factorOf(cells);
  const row = (heading: Content, of: (cell: PredictedCell) => Content): Markup =>
    html`<tr><th scope="row">${heading}</th>${cells.map((cell) => html`<td>${of(cell)}</td>`)}</tr>`;
  const detail =
    (text: (of: Details) => Content) =>
    ({ architecture }: PredictedCell): Content => {
      const found = detailsOf(details, architecture);
      return found ? text(found) : details ? '–' : '…';
    };
  const machines = cells[0]?.machines.map(({ name }) => name) ?? [];
  const categories = [...new Set(cells.flatMap(({ exposureBytes }) => Object.keys(exposureBytes)))].sort();
  const noExposure = categories.length === 0 && row('exposure', () => 'none');
  return html`<table class="figures"><thead><tr><th scope="col">figure</th>${cells.map(({ architecture }) => html`<th scope="col"><span class="swatch ${colourClass(factor, architecture)}"></span>${architecture}</th>`)}</tr></thead><tbody>
${row('busiest part', ({ bottleneck, state: is }) => html`<b class="${is === 'stable' ? '' : 'bad'}">${bottleneck.name}</b><small class="line">${bottleneck.kind}, ${percent(bottleneck.busy)} busy</small>`)}
${machines.map((name, at) => row(name === 'machine' ? 'the machine, busy' : html`${name}, busy`, ({ machines: all }) => bar(all[at])))}
${row(html`max rate, about <small>req/s</small>`, ({ maxRate }) => rounded(maxRate))}
${row('hops', ({ hops }) => hops.toFixed(1))}
${row('hops between nodes', ({ hopsBetweenNodes }) => hopsBetweenNodes.toFixed(1))}
${row('refused by rules', ({ refused }) => percent(refused))}
${noExposure}${categories.map((category) => row(html`exposure, ${category} <small>bytes per request</small>`, ({ exposureBytes }) => (exposureBytes[category] ?? 0).toFixed(1)))}
${row(
  html`lost when a part dies <small>of those sent after</small>`,
  detail(({ lost }) => lostText(lost)),
)}
${row(
  html`rule change in force after <small>at every point</small>`,
  detail(({ ruleChange }) => changeText(ruleChange)),
)}
${row(html`processor time <small>per request</small>`, ({ architecture, cpuUs }) => figure({ value: cpuUs }, detailsOf(details, architecture)?.uncertainty?.cpuUsPerRequest))}
${row('cost per month', ({ cpuUs }) => formatPrice(price, costPerMonth(price, cpuUs, settings.rate)))}
</tbody></table>`;
}

/** The cells as the charts of reports take them. */
export function chartData(cells: readonly PredictedCell[]): ChartData {
  const factor = factorOf(cells);
  const shown = cells.filter(({ quantilesUs }) => quantilesUs !== undefined);
  return {
    ...{ factors: [], infinite: '∞', times: ['rtt'], lines: {}, series: {}, drawings: {} },
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

function lostText(lost: Details['lost']): Content {
  if ('why' in lost) return lost.why;
  const { role, share, sent, inFlight } = lost;
  return html`<b>${percent(share)}</b><small class="line">${role}, of ${sent}</small>${inFlight > 0 && html`<small class="line">and ${inFlight} in flight</small>`}`;
}

function changeText(change: Details['ruleChange']): Content {
  if ('why' in change) return change.why;
  const { inForce, points } = change;
  return html`${figure(inForce)}<small class="line">${counted(points, 'point')}</small>`;
}

function bar(part: Part | undefined): Markup {
  const { busy: share = 0, state = 'stable' } = part ?? {};
  const width = Math.min(100, 100 * share);
  return html`<svg class="share" width="64" height="8" aria-hidden="true"><rect width="64" height="8" rx="2"/><rect class="${state === 'stable' ? 'part' : 'full'}" width="${((64 * width) / 100).toFixed(1)}" height="8" rx="2"/></svg> ${percent(share)}`;
}

function detailsOf(details: PageState['details'], architecture: string): Details | undefined {
  return details?.find((one) => one.architecture === architecture);
}

/** @param interval default: its own */
export function figure(given: Figure | undefined, interval = given?.interval): Markup {
  if (!given) return html`–`;
  const { value } = given;
  return html`<b>${us(value)}</b>${interval && html`<small class="interval">${rangeText(interval)}</small>`}`;
}

/** The unit stands once where both ends have the same. */
function rangeText([low, high]: readonly [number, number]): string {
  const [from, to] = [us(low), us(high)];
  const [number = '', unit] = from.split(' ');
  return to.endsWith(` ${unit}`) ? `${number} – ${to}` : `${from} – ${to}`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(share < 0.1 ? 1 : 0)}%`;
}

/**
 * A line chart of times over an ordered factor: a line per level of another factor, with the spread of its points, the
 * repetitions as dots, and a band in which the knee lies.
 */
import type { Knee } from '@topo-bench/comparison';
import { missing } from '../figure-text.ts';
import { scaleFor } from '../scale.ts';
import { levelAxisLabel, levelPositions } from '../trend/level-positions.ts';
import type { Spread } from '../trend/spread.ts';
import { mark } from './line-chart.ts';
import { html, type Markup } from './safe-html.ts';

export interface TrendChart {
  title: string;
  /** Label below the axis. */
  axis: string;
  lines: readonly TrendChartLine[];
  /** Labels of levels, by their x. */
  labels: ReadonlyMap<number, string>;
  infinite: string;
}

export interface TrendChartLine {
  name: string;
  /** CSS class that sets the colour `--c`. */
  colour: string;
  points: readonly { x: number; spread: Spread }[];
  knee: Knee | undefined;
}

const width = 400;
const height = 270;
const left = 58;
const right = 14;
const top = 18;
const bottom = 44;

export function trendLegend(lines: readonly Pick<TrendChartLine, 'name' | 'colour'>[], hasKnee: boolean): Markup {
  return html`<ul class="legend">${lines.map(
    ({ name, colour }, at) =>
      html`<li class="${colour}"><svg width="26" height="12" aria-hidden="true"><line x1="0" x2="26" y1="6" y2="6" stroke="var(--c)" stroke-width="2"/>${mark(at, 13, 6, 'var(--c)')}</svg>${name}</li>`,
  )}${hasKnee && html`<li><svg width="26" height="12" aria-hidden="true"><rect width="26" height="12" fill="var(--dim)" fill-opacity=".25"/></svg>the knee lies within</li>`}</ul>`;
}

export function trendChart({ title, axis, lines, labels, infinite }: TrendChart): Markup {
  const xs = [...new Set(lines.flatMap(({ points }) => points.map(({ x }) => x)))].sort((a, b) => a - b);
  const x = horizontal(xs);
  const values = lines.flatMap(({ points }) => points.flatMap(({ spread }) => [...spread.values, spread.high]));
  const scale = scaleFor(values.filter((value) => !Number.isNaN(value)));
  const y = (us: number): number => height - bottom - (scale.at(us) / 100) * (height - top - bottom);
  const ticks = [
    ...scale.ticks,
    ...(scale.infiniteFrom === undefined ? [] : [{ at: scale.at(Number.POSITIVE_INFINITY), label: infinite }]),
  ];
  const fromTop = (at: number): number => height - bottom - (at / 100) * (height - top - bottom);
  return html`<figure class="plot"><figcaption class="plot-title">${title} (${scale.kind})</figcaption><svg viewBox="0 0 ${width} ${height}" width="100%" role="img" aria-label="${described({ title, axis, lines, labels, infinite })}" font-size="12">
${ticks.map(({ at, label }) => html`<line x1="${left}" x2="${width - right}" y1="${px(fromTop(at))}" y2="${px(fromTop(at))}" stroke="var(--grid)"/><text x="${left - 6}" y="${px(fromTop(at) + 4)}" text-anchor="end" fill="var(--dim)">${label}</text>`)}
${lines.map((line) => band(line, x))}
${xs.map((value) => html`<line x1="${px(x(value))}" x2="${px(x(value))}" y1="${height - bottom}" y2="${height - bottom + 4}" stroke="var(--dim)"/><text x="${px(x(value))}" y="${height - bottom + 18}" text-anchor="middle" fill="var(--dim)">${labels.get(value) ?? value}</text>`)}
<text x="${(left + width - right) / 2}" y="${height - 6}" text-anchor="middle" fill="var(--dim)">${levelAxisLabel(axis, xs)}</text>
${lines.map((line, at) => drawnLine(line, at, dodge(at, lines.length), x, y))}</svg></figure>`;
}

function horizontal(xs: readonly number[]): (x: number) => number {
  const positions = levelPositions(xs);
  const margin = 22;
  return (x) => left + margin + (positions[xs.indexOf(x)] ?? 0) * (width - left - right - 2 * margin);
}

/** Lines stand a few units apart, so that their bars do not cover each other. */
function dodge(at: number, count: number): number {
  return (at - (count - 1) / 2) * Math.min(6, 18 / count);
}

function band({ knee, colour }: TrendChartLine, x: (value: number) => number): Markup | undefined {
  if (knee?.before === undefined) return undefined;
  const from = x(knee.after);
  return html`<g class="${colour}"><rect x="${px(from)}" y="${top}" width="${px(x(knee.before) - from)}" height="${height - top - bottom}" fill="var(--c)" fill-opacity=".13"/><text x="${px((from + x(knee.before)) / 2)}" y="${top + 12}" text-anchor="middle" fill="var(--c)">knee</text></g>`;
}

function drawnLine(
  { points, colour }: TrendChartLine,
  at: number,
  shift: number,
  x: (value: number) => number,
  y: (us: number) => number,
): Markup {
  const drawn = points
    .filter(({ spread }) => !Number.isNaN(spread.value))
    .map(({ x: level, spread }) => ({ cx: x(level) + shift, spread }));
  return html`<g class="${colour}"><polyline fill="none" stroke="var(--c)" stroke-width="2" points="${drawn.map(({ cx, spread }) => `${px(cx)},${px(y(spread.value))}`).join(' ')}"/>${drawn.map(
    ({ cx, spread }) =>
      html`<line x1="${px(cx)}" x2="${px(cx)}" y1="${px(y(spread.low))}" y2="${px(y(spread.high))}" stroke="var(--c)" stroke-width="1.5"/>${spread.values.map((us) => html`<circle cx="${px(cx + 5)}" cy="${px(y(us))}" r="1.8" fill="var(--c)" fill-opacity=".55"/>`)}${mark(at, cx, Number(px(y(spread.value))), 'var(--c)')}`,
  )}</g>`;
}

function px(value: number): string {
  return value.toFixed(1);
}

function described({ title, axis, lines, labels, infinite }: TrendChart): string {
  const timeText = (us: number): string => (Number.isFinite(us) ? `${Number((us / 1e3).toPrecision(3))} ms` : infinite);
  const texts = lines.map(
    ({ name, points }) =>
      `${name} ${points.map(({ x, spread: { value } }) => `${labels.get(x) ?? x}: ${Number.isNaN(value) ? missing : timeText(value)}`).join(', ')}`,
  );
  return `${title} over ${axis}: ${texts.join('; ')}`;
}

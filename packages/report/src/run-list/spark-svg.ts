/**
 * A small chart of one cell over the runs: a dot for each run, its interval as a bar, a line between runs of the same
 * set-up. Its height is logarithmic and spans at least 25%.
 */
import { formatValue } from '@topo-bench/comparison';
import { html, type Markup } from '../html/safe-html.ts';
import { readableTime } from '../html/sections/provenance-section.ts';
import type { Series, SeriesPoint } from './run-list.ts';
import { spreadText } from './run-list-texts.ts';
import { maxPoints, sparkHeight, sparkRange } from './sparkline.ts';

const height = 36;
const margin = 5;

export function sparkSvg({ points: all, unit }: Series): Markup | undefined {
  const points = all.slice(-maxPoints);
  const range = sparkRange(points);
  if (!range) return undefined;
  const step = Math.max(5, Math.min(18, 150 / points.length));
  const width = 2 * margin + step * Math.max(1, points.length - 1);
  const x = (at: number): string => (margin + at * step).toFixed(1);
  const y = (value: number): string => (height - margin - sparkHeight(value, range) * (height - 2 * margin)).toFixed(1);
  const label = points.map(({ run, figure }) => `${readableTime(run.startedAt)} ${formatValue(figure.value, unit)}`);
  return html`<svg class="spark" width="${width}" height="${height}" role="img" aria-label="${label.join(', ')}">${lines(
    points,
  ).map(
    (line) =>
      html`<polyline fill="none" stroke="var(--accent)" stroke-opacity=".5" points="${line.map((at) => `${x(at)},${y((points[at] as SeriesPoint).figure.value)}`).join(' ')}"/>`,
  )}${points.map(
    ({ run, figure, change }, at) =>
      html`<g><title>${readableTime(run.startedAt)}: ${spreadText(figure, unit)}</title><line x1="${x(at)}" x2="${x(at)}" y1="${y(figure.low)}" y2="${y(figure.high)}" stroke="var(--accent)"/><circle cx="${x(at)}" cy="${y(figure.value)}" r="3" fill="${change?.mark === 'beyond' ? 'var(--bad)' : 'var(--accent)'}"/></g>`,
  )}</svg>`;
}

/** Indices of the points that a line connects: those of one set-up, at least two. */
function lines(points: readonly SeriesPoint[]): number[][] {
  const bySetup = new Map<number, number[]>();
  for (const [at, { run }] of points.entries()) {
    bySetup.set(run.setup.number, [...(bySetup.get(run.setup.number) ?? []), at]);
  }
  return [...bySetup.values()].filter((line) => line.length > 1);
}

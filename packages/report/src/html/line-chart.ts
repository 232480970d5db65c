/**
 * Small line charts: a figure against evenly spaced levels, with one line per name. Colour and mark identify a line.
 */
import { formatShort } from '../figure-text.ts';
import { linearTicks, logarithmicTicks } from '../scale.ts';
import { html, type Markup } from './safe-html.ts';

export interface LineChart {
  title: string;
  /** Name of the figure, with its unit. */
  heading: string;
  /** Label below the axis. */
  axis: string;
  levels: readonly (string | number)[];
  /** A value per level; NaN where there is none. */
  lines: readonly { name: string; values: readonly number[] }[];
  /** The axis ends at the max value, or at `most` if that is higher. Adjacent panels pass the same value. */
  most?: number;
}

const width = 340;
const height = 210;
const left = 52;
const right = 10;
const top = 10;
const bottom = 34;
const colours = 6;

/** Marks identify lines without colour. */
const marks = ['circle', 'square', 'diamond', 'ring', 'cross', 'triangle'] as const;

export function lineLegend(names: readonly string[]): Markup {
  return html`<p class="legend">${names.map(
    (name, at) =>
      html`<span><svg width="26" height="12" aria-hidden="true"><line x1="0" x2="26" y1="6" y2="6" stroke="${colour(at)}" stroke-width="2"/>${mark(at, 13, 6)}</svg>${name}</span> `,
  )}</p>`;
}

/** The axis is logarithmic where values differ by more than a factor of 20. */
export function lineChart({ title, heading, axis, levels, lines, most = 0 }: LineChart): Markup {
  const known = lines.flatMap(({ values }) => values).filter((value) => Number.isFinite(value));
  const high = Math.max(...known, most) || 1;
  const low = Math.min(...known.filter((value) => value > 0), high);
  const logarithmic = high > 20 * low;
  const y = (value: number): number => {
    const share = logarithmic ? Math.log(Math.max(value, low) / low) / Math.log(high / low) : value / high;
    return height - bottom - share * (height - top - bottom);
  };
  // Even spacing, because levels grow by factors.
  const x = (at: number): number => left + ((at + 0.5) / levels.length) * (width - left - right);
  const ticks = logarithmic ? logarithmicTicks(low, high) : linearTicks(high);
  const told = lines.map(
    ({ name, values }) => `${name} ${levels.map((level, l) => `${level}: ${figure(values[l])}`).join(', ')}`,
  );
  const label = `${heading} against ${axis}, ${title}: ${told.join('; ')}`;
  return html`<figure class="plot"><figcaption class="plot-title">${title}: ${heading}${logarithmic ? ', logarithmic' : ', linear'}</figcaption><svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${label}" font-size="11">
${ticks.map((tick) => html`<line x1="${left}" x2="${width - right}" y1="${y(tick)}" y2="${y(tick)}" stroke="var(--grid)"/><text x="${left - 6}" y="${y(tick) + 4}" text-anchor="end" fill="var(--dim)">${figure(tick)}</text>`)}
${levels.map((level, at) => html`<text x="${x(at)}" y="${height - bottom + 16}" text-anchor="middle" fill="var(--dim)">${level}</text>`)}
<text x="${(left + width - right) / 2}" y="${height - 4}" text-anchor="middle" fill="var(--dim)">${axis}</text>
${lines.map(({ values }, at) => {
  const points = values.flatMap((value, l) => (Number.isFinite(value) ? [{ px: x(l), py: y(value) }] : []));
  return html`<polyline fill="none" stroke="${colour(at)}" stroke-width="2" points="${points.map(({ px, py }) => `${px.toFixed(1)},${py.toFixed(1)}`).join(' ')}"/>${points.map(({ px, py }) => mark(at, px, py))}`;
})}</svg></figure>`;
}

/** The mark of the line with this index, which identifies it without colour. */
export function mark(at: number, cx: number, cy: number, fill = colour(at)): Markup {
  const shape = marks[at % marks.length] as (typeof marks)[number];
  const r = 4;
  if (shape === 'circle') return html`<circle cx="${cx}" cy="${cy}" r="${r}" fill="${fill}"/>`;
  if (shape === 'ring')
    return html`<circle cx="${cx}" cy="${cy}" r="${r}" fill="var(--card)" stroke="${fill}" stroke-width="2"/>`;
  if (shape === 'cross') {
    return html`<path d="M${cx - r} ${cy - r}L${cx + r} ${cy + r}M${cx - r} ${cy + r}L${cx + r} ${cy - r}" stroke="${fill}" stroke-width="2"/>`;
  }
  const outlines = {
    square: [-r, -r, r, -r, r, r, -r, r],
    diamond: [0, -r - 1, r + 1, 0, 0, r + 1, -r - 1, 0],
    triangle: [0, -r - 1, r + 1, r, -r - 1, r],
  };
  const points = outlines[shape].map((offset, index) => (index % 2 === 0 ? cx : cy) + offset);
  return html`<polygon points="${points.join(' ')}" fill="${fill}"/>`;
}

function colour(at: number): string {
  return `var(--k-${at % colours})`;
}

function figure(value: number | undefined): string {
  return value === undefined || !Number.isFinite(value) ? '–' : formatShort(Number(value.toPrecision(3)));
}

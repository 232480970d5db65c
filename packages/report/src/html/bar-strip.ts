/** A stacked horizontal bar, as a strip that fills a table cell. */
import { html, type Markup } from './safe-html.ts';

export interface BarPart {
  label: string;
  value: number;
  /** CSS class of the fill. */
  fill: string;
}

/** Repetitions behind a bar. */
export interface BarSpread {
  /** Drawn as a stroke; NaN without any. */
  median: number;
  repetitions: readonly number[];
}

const height = 22;

/**
 * @param whole value at full width; the sum of the parts may be lower
 * @param spread drawn over the bar, on its scale
 */
export function barStrip(
  parts: readonly BarPart[],
  whole: number,
  describe: (part: BarPart) => string,
  spread?: BarSpread,
): Markup {
  const shown = parts.filter(({ value }) => value > 0);
  const text = shown.map(describe).join(', ') || 'nothing';
  const place = (value: number): string => `${Number(((value / (whole || 1)) * 100).toFixed(2))}%`;
  let from = 0;
  return html`<svg class="bar" width="100%" height="${height}" role="img" aria-label="${text}"><title>${text}</title>${shown.map(
    (part) => {
      const start = from;
      from += part.value;
      return html`<rect class="${part.fill}" x="${place(start)}" width="${place(part.value)}" y="4" height="14"/>`;
    },
  )}${spread && !Number.isNaN(spread.median) && html`<line class="median" x1="${place(spread.median)}" x2="${place(spread.median)}" y1="1" y2="21"/>`}${
    spread && repetitionPoints(spread.repetitions, place)
  }</svg>`;
}

/** A point for each repetition of a bar, at the middle of its height. */
export function repetitionPoints(values: readonly number[], place: (value: number) => string): Markup {
  return html`<g class="points">${values.map((value) => html`<circle cx="${place(value)}" cy="${height / 2}" r="2.5"/>`)}</g>`;
}

/** Legend for the fills. */
export function legend(parts: readonly { label: string; fill: string }[]): Markup {
  return html`<ul class="legend">${parts.map(({ label, fill }) => html`<li><svg width="12" height="12" aria-hidden="true"><rect class="${fill}" width="12" height="12" rx="2"/></svg>${label}</li>`)}</ul>`;
}

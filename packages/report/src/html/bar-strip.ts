/** A stacked horizontal bar, as a strip that fills a table cell. */
import { html, type Markup } from './safe-html.ts';

export interface BarPart {
  label: string;
  value: number;
  /** CSS class of the fill. */
  fill: string;
}

const height = 22;

/** @param whole value at full width; the sum of the parts may be lower */
export function barStrip(parts: readonly BarPart[], whole: number, describe: (part: BarPart) => string): Markup {
  const shown = parts.filter(({ value }) => value > 0);
  const text = shown.map(describe).join(', ') || 'nothing';
  let from = 0;
  return html`<svg class="bar" width="100%" height="${height}" role="img" aria-label="${text}"><title>${text}</title>${shown.map(
    (part) => {
      const start = from;
      from += part.value;
      const place = (value: number): string => `${Number(((value / (whole || 1)) * 100).toFixed(2))}%`;
      return html`<rect class="${part.fill}" x="${place(start)}" width="${place(part.value)}" y="4" height="14"/>`;
    },
  )}</svg>`;
}

/** Legend for the fills. */
export function legend(parts: readonly { label: string; fill: string }[]): Markup {
  return html`<ul class="legend">${parts.map(({ label, fill }) => html`<li><svg width="12" height="12" aria-hidden="true"><rect class="${fill}" width="12" height="12" rx="2"/></svg>${label}</li>`)}</ul>`;
}

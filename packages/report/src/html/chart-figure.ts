/** A chart with its title and download buttons. It is either part of the page or drawn by the page's script. */
import { type Content, html, type Markup } from './safe-html.ts';

export interface ChartTitle {
  title: string;
  /** Part of the download's file name, and key of the chart in the script. */
  name: string;
}

export interface DrawnFigure {
  /** How to read the chart. */
  lead: string;
  /** Kind of chart in the script; default: `name`. */
  draw?: string;
  /** Shown without the script; default: a note. */
  without?: Markup;
}

/** @param content rendered rows and strips */
export function chartFigure({ title, name }: ChartTitle, content: Content): Markup {
  return html`<figure class="chart-figure" data-figure="${name}">${caption(title)}${content}</figure>`;
}

/** Charts that the script draws, one panel per setting. Without script, a note refers to the table below. */
export function drawnFigure({ title, name, lead, draw = name, without }: ChartTitle & DrawnFigure): Markup {
  return html`<figure class="chart-figure drawn" data-figure="${name}" data-draw="${draw}">${caption(title)}${lead && html`<p class="note">${lead}</p>`}<div class="drawing"></div><noscript>${without ?? html`<p class="note">This chart needs the page’s script; its figures are in the table below.</p>`}</noscript></figure>`;
}

function caption(title: string): Markup {
  return html`<figcaption><h3>${title}</h3><span class="tools" hidden><button type="button" data-download="svg" aria-label="${title} as SVG">SVG</button><button type="button" data-download="png" aria-label="${title} as PNG">PNG</button></span></figcaption>`;
}

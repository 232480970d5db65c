/**
 * A chart with its title and its downloads: drawn when the page is written, or by the page's script from the data in
 * it.
 */
import { type Content, html, type Markup } from './safe-html.ts';

export interface ChartTitle {
  title: string;
  /** Name of the downloaded file and id of the chart for the script. */
  name: string;
}

/** @param content finished rows and strips */
export function chartFigure({ title, name }: ChartTitle, content: Content): Markup {
  return html`<figure class="chart-figure" data-figure="${name}">${caption(title)}${content}</figure>`;
}

/** Charts that the script draws, a panel per setting; without script their table stays. */
export function drawnFigure({ title, name, lead }: ChartTitle & { lead: string }): Markup {
  return html`<figure class="chart-figure drawn" data-figure="${name}" data-draw="${name}">${caption(title)}<p class="note">${lead}</p><div class="drawing"></div><noscript><p class="note">This chart needs the page’s script; its figures are in the table below.</p></noscript></figure>`;
}

function caption(title: string): Markup {
  return html`<figcaption><h3>${title}</h3><span class="tools" hidden><button type="button" data-download="svg" aria-label="${title} as SVG">SVG</button><button type="button" data-download="png" aria-label="${title} as PNG">PNG</button></span></figcaption>`;
}

/** A section of the page: heading, lead sentence on how to read it, content. */
import { type Content, html, type Markup } from './safe-html.ts';

export interface Section {
  /** Anchor. */
  id: string;
  title: string;
  body: Markup;
}

export function section(id: string, title: string, lead: Content, ...content: Content[]): Section {
  return {
    id,
    title,
    body: html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>${lead && html`<p class="lead">${lead}</p>`}${content}</section>`,
  };
}

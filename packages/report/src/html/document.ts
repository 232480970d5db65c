/**
 * The frame of a self-contained page: no fonts, no image files, no requests. The content security policy allows the
 * inline style sheets and scripts by hash, and `data:` images, because the script renders its own drawings for
 * downloads.
 */
import { createHash } from 'node:crypto';
import { type Content, html, Markup } from './safe-html.ts';
import { style } from './style.ts';

export interface DocumentParts {
  /** Title of the window; the heading is `heading`. */
  title: string;
  /** Above the heading. */
  eyebrow: string;
  heading: string;
  meta: Content;
  remarks: Content;
  /** Links at the top; none without any. */
  sections: readonly { id: string; title: string }[];
  main: Content;
  footer: Content;
  /** Text of the script; absent for pages without one. */
  script?: string;
  /** Data of the script, as markup. */
  data?: Markup;
  /** A second script. */
  part?: ScriptPart | undefined;
}

/** A script that starts a worker, with its style and its texts. */
export interface ScriptPart {
  style: string;
  script: string;
  /** Script elements that are no scripts: data, and the text of the worker. */
  texts: Markup;
}

export function htmlDocument(parts: DocumentParts): string {
  const { title, eyebrow, heading, meta, remarks, sections, main, footer, script, data, part } = parts;
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policyFor(script, part)}"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">
<title>${title}</title><style>${new Markup(style)}</style>${part && html`<style>${new Markup(part.style)}</style>`}</head>
<body><header><p class="eyebrow">${eyebrow}</p><h1>${heading}</h1><p class="meta">${meta}</p>${remarks}
${sections.length > 0 && html`<nav aria-label="Sections"><ul>${sections.map((section) => html`<li><a href="#${section.id}">${section.title}</a></li>`)}</ul></nav>`}</header>
<main>${main}</main>
<footer><p>${footer}</p></footer>
${data && html`<script type="application/json" id="chart-data">${data}</script>`}${script !== undefined && html`<script>${new Markup(script)}</script>`}${part && html`${part.texts}<script>${new Markup(part.script)}</script>`}</body></html>
`;
  return page.text;
}

function policyFor(script: string | undefined, part: ScriptPart | undefined): string {
  const scripts = [...(script === undefined ? [] : [script]), ...(part ? [part.script] : [])];
  return [
    "default-src 'none'",
    `style-src ${[style, ...(part ? [part.style] : [])].map(sha256).join(' ')}`,
    `script-src ${scripts.length === 0 ? "'none'" : scripts.map(sha256).join(' ')}`,
    ...(part ? ['worker-src blob:'] : []),
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function sha256(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

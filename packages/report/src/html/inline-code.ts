/** Text with names of fields between backticks, as in Markdown. */
import { type Content, html } from './safe-html.ts';

export function inlineCode(text: string): Content {
  return text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part));
}

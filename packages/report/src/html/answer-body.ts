/** The sentences of an answer on the page: a headline, then a list. */
import { type Content, html } from './safe-html.ts';

/** @param sentences the headline first */
export function answerBody([headline, ...more]: readonly string[]): Content {
  return [headline !== undefined && html`<p class="headline">${unbroken(headline)}</p>`, sentenceList(more)];
}

export function sentenceList(sentences: readonly string[]): Content {
  return (
    sentences.length > 0 &&
    html`<ul class="sentences">${sentences.map((sentence) => html`<li>${unbroken(sentence)}</li>`)}</ul>`
  );
}

/** No line break between a figure and its unit or interval, or within an interval. */
function unbroken(sentence: string): string {
  return sentence.replace(
    /(?<=\d) (?=(µs|ms|s|min)\b)| (?=… )|(?<=…) |(?<=×) (?=\[)|(?<=\[[\d.,]+) (?=[\d.]+\])/g,
    '\u00a0',
  );
}

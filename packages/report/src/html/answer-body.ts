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

/** A name that ends with a number, such as `dynamic-router-3`, or a flag of a command with its value. */
const unbreakable = /((?<![\w-])[A-Za-z]\w*(?:-\w+)*-\d+(?![\w-])|--[a-z][\w-]*(?: \d+)?)/;

/** No line break within such a text, between a figure and its unit or interval, or within an interval. */
function unbroken(sentence: string): Content {
  const joined = sentence.replace(
    /(?<=\d) (?=(µs|ms|s|min|MB|GB|KiB|MiB|GiB|MB\/s|rows\/s|points\/s)\b)| (?=… )|(?<=…) |(?<=×) (?=\[)|(?<=\[[\d.,]+) (?=[\d.]+\])/g,
    '\u00a0',
  );
  return joined.split(unbreakable).map((part, at) => (at % 2 === 1 ? html`<span class="name">${part}</span>` : part));
}

/** The sentences of an answer in a terminal: a bold headline, then a list. */
import { printable, type Styles, wrapped } from './text.ts';

/** @param sentences the headline first; without one, all of them are list items */
export function sentenceLines(sentences: readonly string[], columns: number, styles: Styles): string[] {
  const [headline = '', ...more] = sentences;
  return [
    ...(headline === '' ? [] : wrapped(printable(headline), columns).map(styles.bold)),
    ...more.flatMap((sentence) =>
      wrapped(printable(sentence), columns - indent.length).map((line, at) => `${at === 0 ? '• ' : indent}${line}`),
    ),
  ];
}

const indent = '  ';

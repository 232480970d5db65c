/** The answer in sentences, before any figure, as the page begins with it. */
import { infiniteText } from '../figure-text.ts';
import { answerOf } from '../model/answer.ts';
import { answerSentences } from '../model/answer-sentences.ts';
import type { ReportModel } from '../model/report-model.ts';
import { thresholdSentences } from '../model/threshold-sentences.ts';
import { printable } from './printable.ts';
import type { Styles } from './styles.ts';

/** Empty when nothing varies and nothing is asked. */
export function answerSection(report: ReportModel, columns: number, styles: Styles): string[] {
  const answer = answerOf(report);
  const [headline, ...more] = answer ? answerSentences(answer, infiniteText(report.drainUs)) : [];
  const points = [...thresholdSentences(report), ...more].flatMap((sentence) =>
    wrapped(printable(sentence), columns - indent.length).map((line, at) => `${at === 0 ? '• ' : indent}${line}`),
  );
  return [...(headline === undefined ? [] : wrapped(printable(headline), columns).map(styles.bold)), ...points];
}

const indent = '  ';

/** Lines of at most `width` characters, broken between words. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

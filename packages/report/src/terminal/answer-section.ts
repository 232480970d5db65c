/** The answer in sentences, before any figure, as the page begins with it. */
import { infiniteText } from '../figure-text.ts';
import { answerOf, timesInAnswer } from '../model/answer.ts';
import { answerSentences } from '../model/answer-sentences.ts';
import type { ReportModel } from '../model/report-model.ts';
import { thresholdSentences } from '../model/threshold-sentences.ts';
import { printable } from './printable.ts';
import type { Styles } from './styles.ts';
import { wrapped } from './wrapped.ts';

/** Empty when nothing varies and nothing is asked. */
export function answerSection(report: ReportModel, columns: number, styles: Styles): string[] {
  const answer = answerOf(report);
  const [headline, ...more] = answer ? answerSentences(answer, infiniteText(report.drainUs, timesInAnswer(answer))) : [];
  const points = [...thresholdSentences(report), ...more].flatMap((sentence) =>
    wrapped(printable(sentence), columns - indent.length).map((line, at) => `${at === 0 ? '• ' : indent}${line}`),
  );
  return [...(headline === undefined ? [] : wrapped(printable(headline), columns).map(styles.bold)), ...points];
}

const indent = '  ';

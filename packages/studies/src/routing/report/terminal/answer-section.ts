/** The answer in sentences, at the top of the output as on the page. */
import { infiniteText } from '@topo-bench/report';
import { type ReportModel, thresholdSentences } from '@topo-bench/report/model';
import { printable, type Styles, wrapped } from '@topo-bench/report/terminal';
import { answerOf, timesInAnswer } from '../answer.ts';
import { answerSentences } from '../answer-sentences.ts';

/** Empty without a varying factor. */
export function answerSection(report: ReportModel, columns: number, styles: Styles): string[] {
  const answer = answerOf(report);
  const [headline, ...more] = answer
    ? answerSentences(answer, infiniteText(report.drainUs, timesInAnswer(answer)))
    : [];
  const points = [...thresholdSentences(report), ...more].flatMap((sentence) =>
    wrapped(printable(sentence), columns - indent.length).map((line, at) => `${at === 0 ? '• ' : indent}${line}`),
  );
  return [...(headline === undefined ? [] : wrapped(printable(headline), columns).map(styles.bold)), ...points];
}

const indent = '  ';

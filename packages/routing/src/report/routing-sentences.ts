/** The sentences of a routing study, the most important one first; without those on thresholds. */
import { infiniteText } from '@topo-bench/report';
import {
  type ReportModel,
  rateSearchOf,
  rateSearchSentences,
  runnerSentences,
  trendSentences,
} from '@topo-bench/report/model';
import { answerOf, timesInAnswer } from './answer.ts';
import { answerSentences } from './answer-sentences.ts';

/** Empty without a varying factor. */
export function routingSentences(report: ReportModel): string[] {
  const searched = rateSearchOf(report);
  if (searched) return rateSearchSentences(searched);
  const answer = answerOf(report);
  if (!answer) return [];
  const trends = trendSentences(report);
  return [
    ...runnerSentences(report, 'median round-trip time'),
    ...trends.shown,
    ...answerSentences(answer, infiniteText(report.drainUs, timesInAnswer(answer))),
    ...trends.open,
  ];
}

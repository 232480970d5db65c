/** The sentences of a routing study, the most important one first; without those on thresholds. */
import { infiniteText } from '@topo-bench/report';
import { rateSearchOf, rateSearchSentences, runnerSentences, trendSentences } from '@topo-bench/report/model';
import { answerOf, timesInAnswer } from './answer.ts';
import { answerSentences } from './answer-sentences.ts';
import { askedSentences } from './asked-factors.ts';
import { eventSentences } from './event-sentences.ts';
import { publishedOrderSentences } from './published-order.ts';
import type { RoutingModel } from './routing-model.ts';

/** Empty without a varying factor and without planned crashes, whose effect comes first. */
export function routingSentences(report: RoutingModel): string[] {
  const searched = rateSearchOf(report);
  if (searched) return rateSearchSentences(searched);
  const answer = answerOf(report);
  const events = eventSentences(report);
  if (!answer) return events;
  const trends = trendSentences(report);
  return [
    ...events,
    ...runnerSentences(report, 'median round-trip time'),
    ...askedSentences(report),
    ...trends.shown,
    ...answerSentences(answer, infiniteText(report.drainUs, timesInAnswer(answer))),
    ...publishedOrderSentences(report, answer),
    ...trends.open,
  ];
}

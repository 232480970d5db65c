/** The answer in sentences, at the top of the output as on the page. */
import { rateSearchOf, thresholdSentences } from '@topo-bench/report/model';
import { type Styles, sentenceLines } from '@topo-bench/report/terminal';
import type { RoutingModel } from '../routing-model.ts';
import { routingSentences } from '../routing-sentences.ts';

/** Empty without a varying factor and without thresholds. */
export function answerSection(report: RoutingModel, columns: number, styles: Styles): string[] {
  const sentences = routingSentences(report);
  const thresholds = thresholdSentences(report);
  if (rateSearchOf(report)) return sentenceLines([...sentences, ...thresholds], columns, styles);
  const [headline = '', ...more] = sentences;
  return sentenceLines([headline, ...thresholds, ...more], columns, styles);
}

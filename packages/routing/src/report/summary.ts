/** A routing study on one page: its sentences, and the table that decides. */
import type { Summary } from '@topo-bench/report';
import { rateSearchOf, thresholdSentences } from '@topo-bench/report/model';
import { answerOf } from './answer.ts';
import { decisionSentences, decisionTable, maxRateTable } from './decision-table.ts';
import type { RoutingModel } from './routing-model.ts';
import { routingSentences } from './routing-sentences.ts';

export function summaryOf(report: RoutingModel): Summary {
  const sentences = [...routingSentences(report), ...thresholdSentences(report)];
  const searched = rateSearchOf(report);
  if (searched) return { sentences, table: maxRateTable(report, searched), onTable: [] };
  const answer = answerOf(report);
  if (!answer) return { sentences, onTable: [] };
  return { sentences, table: decisionTable(report, answer), onTable: decisionSentences(report, answer) };
}

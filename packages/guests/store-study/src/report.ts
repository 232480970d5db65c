/**
 * The report of a store study: the answer, averages, each metric against the load, scores, verdicts on hypotheses, and
 * the servers of the stores.
 */
import { tabularReport } from '@topo-bench/study-kit/tabular-report';
import { storeTime } from './metrics.ts';
import type { StoreEntry } from './parts.ts';
import { storeSentences } from './report/answer-sentences.ts';
import { pageSections } from './report/page-sections.ts';
import { readPublishedAverages } from './report/published-averages.ts';
import { storeCharts } from './report/store-charts.ts';
import { studyTables } from './report/study-tables.ts';

export const report = tabularReport({
  readPublished: readPublishedAverages,
  seriesOf: ({ persistence }: StoreEntry) => persistence?.series,
  times: ['responseTime'],
  sentences: storeSentences,
  tables: studyTables,
  page: pageSections,
  lines: storeCharts,
  trend: storeTime,
});

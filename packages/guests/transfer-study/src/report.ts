/** The report of a transfer study: the answer, throughput against streams, savings of Flight, cost of TLS and rules. */
import { tabularReport } from '@topo-bench/study-kit/tabular-report';
import { transferTime } from './metrics.ts';
import type { TransferEntry } from './parts.ts';
import { pageSections } from './report/page-sections.ts';
import { readPublishedThroughputs } from './report/published-throughputs.ts';
import { figuresOfCells } from './report/transfer-cells.ts';
import { transferCharts } from './report/transfer-charts.ts';
import { transferSentences } from './report/transfer-sentences.ts';
import { transferTables } from './report/transfer-tables.ts';

export const report = tabularReport({
  readPublished: readPublishedThroughputs,
  seriesOf: ({ flight }: TransferEntry) => flight?.series,
  times: [],
  sentences: transferSentences,
  tables: transferTables,
  page: pageSections,
  lines: transferCharts,
  trend: transferTime,
  csvFigures: figuresOfCells,
});

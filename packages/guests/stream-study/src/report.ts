/** The report of a stream study: the answer, throughput, what windows change, latencies, resources, the check. */
import { tabularReport } from '@topo-bench/study-kit/tabular-report';
import { latencyPanels } from './report/latency-charts.ts';
import { operatorPanels } from './report/operator-chart.ts';
import { pageSections } from './report/page-sections.ts';
import { readPublishedMeans } from './report/published-means.ts';
import { figuresOfCells } from './report/stream-cells.ts';
import { streamSentences } from './report/stream-sentences.ts';
import { streamTables } from './report/stream-tables.ts';

export const report = tabularReport({
  readPublished: readPublishedMeans,
  times: [],
  sentences: streamSentences,
  tables: streamTables,
  page: pageSections,
  lines: (model) => ({ latency: latencyPanels(model) }),
  series: (model) => ({ operators: operatorPanels(model) }),
  csvFigures: figuresOfCells,
});

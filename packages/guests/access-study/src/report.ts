/** The report of a data-access study: the answer, the price of each layer, parts of the time, what it took. */
import { tabularReport } from '@topo-bench/study-kit/tabular-report';
import { figuresOfCells } from './report/access-cells.ts';
import { volumePanels } from './report/access-charts.ts';
import { accessSentences } from './report/access-sentences.ts';
import { accessTables } from './report/access-tables.ts';
import { pageSections } from './report/page-sections.ts';

export const report = tabularReport({
  times: [],
  sentences: accessSentences,
  tables: accessTables,
  page: pageSections,
  lines: (model) => ({ volumes: volumePanels(model) }),
  csvFigures: figuresOfCells,
});

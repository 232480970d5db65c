/** The report of a data-access study: the answer, the price of each layer, parts of the time, what it took. */

import type { StudyTable } from '@topo-bench/report';
import type { ReportModel } from '@topo-bench/report/model';
import { tabularReport } from '@topo-bench/study-kit/tabular-report';
import { accessCells, figuresOfCells } from './report/access-cells.ts';
import { volumePanels } from './report/access-charts.ts';
import { accessSentences } from './report/access-sentences.ts';
import { cellTable, partTable, resourceTable } from './report/cell-tables.ts';
import { findingTable } from './report/finding-table.ts';
import { pageSections } from './report/page-sections.ts';
import { optionTable, priceTable } from './report/price-tables.ts';
import { slopeTable } from './report/slope-table.ts';

export const report = tabularReport({
  times: [],
  sentences: accessSentences,
  tables: accessTables,
  page: pageSections,
  lines: (model) => ({ volumes: volumePanels(model) }),
  csvFigures: figuresOfCells,
});

/** A data-access study as tables of texts, the same in the terminal, in Markdown and on the page. */
function accessTables(report: ReportModel): StudyTable[] {
  const cells = accessCells(report);
  return [
    ...priceTable(cells),
    ...optionTable(cells),
    ...findingTable(cells),
    ...slopeTable(cells),
    cellTable(cells),
    partTable(cells),
    resourceTable(cells),
  ];
}

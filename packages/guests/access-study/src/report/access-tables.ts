/** A data-access study as tables of texts, the same in the terminal, in Markdown and on the page. */
import type { StudyTable } from '@topo-bench/report';
import type { ReportModel } from '@topo-bench/report/model';
import { accessCells } from './access-cells.ts';
import { cellTable, partTable, resourceTable } from './cell-tables.ts';
import { findingTable } from './finding-table.ts';
import { optionTable, priceTable } from './price-tables.ts';
import { slopeTable } from './slope-table.ts';

export function accessTables(report: ReportModel): StudyTable[] {
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

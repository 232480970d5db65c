/** The report of a transfer study: the answer, throughput against streams, savings of Flight, cost of TLS and rules. */
import type { Cell } from '@topo-bench/core/schema/result';
import { escapeMarkdown, markdownTables, type StudyReport } from '@topo-bench/report';
import { pageSections } from './report/page-sections.ts';
import { readPublishedThroughputs } from './report/published-throughputs.ts';
import { terminalSections } from './report/terminal-sections.ts';
import { figuresOfCells, transferKeys } from './report/transfer-cells.ts';
import { transferSentences } from './report/transfer-sentences.ts';
import { transferTables } from './report/transfer-tables.ts';

export const report: StudyReport = {
  async views(model, { published: file }) {
    const published = file === undefined ? undefined : await readPublishedThroughputs(file);
    const tables = transferTables(model, published);
    return {
      hasControls: false,
      page: () => pageSections(model, tables),
      terminal: (columns, styles) => terminalSections(model, tables, columns, styles),
      markdown: () => [...transferSentences(model).map(escapeMarkdown), ...markdownTables(tables)],
      csv: { keys: transferKeys, values: csvValues },
    };
  },
};

function csvValues(cells: readonly Cell[]): number[] {
  const figures = figuresOfCells(cells);
  return transferKeys.map((key) => figures[key]);
}

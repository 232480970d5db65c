/** The report of a transfer study: the answer, throughput against streams, savings of Flight, cost of TLS and rules. */
import type { Cell } from '@topo-bench/core/schema/result';
import { escapeMarkdown, markdownTables, type StudyReport } from '@topo-bench/report';
import { trendPanels } from '@topo-bench/report/html';
import { trendTables } from '@topo-bench/report/model';
import { trendLines } from '@topo-bench/report/terminal';
import { terminalSections } from '../terminal-sections.ts';
import { transferTime } from './metrics.ts';
import type { TransferEntry } from './parts.ts';
import { pageSections } from './report/page-sections.ts';
import { readPublishedThroughputs } from './report/published-throughputs.ts';
import { figuresOfCells, transferKeys } from './report/transfer-cells.ts';
import { transferCharts } from './report/transfer-charts.ts';
import { transferSentences } from './report/transfer-sentences.ts';
import { transferTables } from './report/transfer-tables.ts';

export const report: StudyReport = {
  readPublished: readPublishedThroughputs,
  seriesOf: ({ flight }: TransferEntry) => flight?.series,
  async views(model, { published: file }) {
    const published = file === undefined ? undefined : await readPublishedThroughputs(file);
    const tables = transferTables(model, published);
    const all = [...tables, ...trendTables(model, transferTime)];
    return {
      hasControls: true,
      times: [],
      lines: () => ({ ...transferCharts(model), ...trendPanels(model, transferTime) }),
      page: () => pageSections(model, tables),
      terminal: (columns, styles) => [
        ...terminalSections(transferSentences(model), tables, columns, styles),
        ...trendLines(model, columns, styles, transferTime),
      ],
      answer: () => transferSentences(model),
      markdown: () => [...transferSentences(model).map(escapeMarkdown), ...markdownTables(all)],
      csv: { keys: transferKeys, values: csvValues },
    };
  },
};

function csvValues(cells: readonly Cell[]): number[] {
  const figures = figuresOfCells(cells);
  return transferKeys.map((key) => figures[key]);
}

/** The report of a data-access study: the answer, parts of the time, prices of layers, volumes, published findings. */
import type { Cell } from '@topo-bench/core/schema/result';
import { escapeMarkdown, markdownTables, type StudyReport } from '@topo-bench/report';
import { terminalSections } from '../terminal-sections.ts';
import { accessKeys, figuresOfCells } from './report/access-cells.ts';
import { volumePanels } from './report/access-charts.ts';
import { accessSentences } from './report/access-sentences.ts';
import { accessTables } from './report/access-tables.ts';
import { pageSections } from './report/page-sections.ts';

export const report: StudyReport = {
  async views(model) {
    const tables = accessTables(model);
    return {
      hasControls: true,
      times: [],
      lines: () => ({ volumes: volumePanels(model) }),
      page: () => pageSections(model, tables),
      terminal: (columns, styles) => terminalSections(accessSentences(model), tables, columns, styles),
      answer: () => accessSentences(model),
      markdown: () => [...accessSentences(model).map(escapeMarkdown), ...markdownTables(tables)],
      csv: { keys: accessKeys, values: csvValues },
    };
  },
};

function csvValues(cells: readonly Cell[]): number[] {
  const figures = figuresOfCells(cells);
  return accessKeys.map((key) => figures[key]);
}

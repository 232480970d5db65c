/**
 * The report of a transfer study: the answer, throughput against streams, what Flight saves, what TLS and rules cost.
 */
import type { StudyReport } from '@topo-bench/report';
import { escapeMarkdown, markdownTables } from '@topo-bench/report/markdown-text';
import { pageSections } from './report/page-sections.ts';
import { terminalSections } from './report/terminal-sections.ts';
import { figuresOfCells, transferKeys } from './report/transfer-cells.ts';
import { transferSentences } from './report/transfer-sentences.ts';
import { transferTables } from './report/transfer-tables.ts';

export const report: StudyReport = {
  throughGateway: false,
  hasControls: false,
  page: pageSections,
  terminal: terminalSections,
  markdown: (model) => [...transferSentences(model).map(escapeMarkdown), ...markdownTables(transferTables(model))],
  csv: {
    keys: transferKeys,
    values(cells) {
      const figures = figuresOfCells(cells);
      return transferKeys.map((key) => figures[key]);
    },
  },
};

/**
 * The report of a store study: verdicts and averages, each metric against the load, scores, and the servers of the
 * stores.
 */
import { escapeMarkdown, markdownTables, type StudyReport } from '@topo-bench/report';
import { thresholdSentences } from '@topo-bench/report/model';
import { pageSections } from './report/page-sections.ts';
import { readPublishedAverages } from './report/published-averages.ts';
import { studyTables } from './report/study-tables.ts';
import { terminalSections } from './report/terminal-sections.ts';

export const report: StudyReport = {
  async views(model, { published: file }) {
    const published = file === undefined ? undefined : await readPublishedAverages(file);
    const tables = studyTables(model, published);
    return {
      hasControls: false,
      page: () => pageSections(model, tables),
      terminal: (columns, styles) => terminalSections(model, tables, columns, styles),
      markdown: () => [...thresholdSentences(model).map(escapeMarkdown), ...markdownTables(tables)],
    };
  },
};

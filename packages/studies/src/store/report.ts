/**
 * The report of a store study: the answer, averages, each metric against the load, scores, verdicts on hypotheses, and
 * the servers of the stores.
 */
import { escapeMarkdown, markdownTables, type StudyReport } from '@topo-bench/report';
import { trendPanels } from '@topo-bench/report/html';
import { trendTables } from '@topo-bench/report/model';
import { trendLines } from '@topo-bench/report/terminal';
import { terminalSections } from '../terminal-sections.ts';
import { storeTime } from './metrics.ts';
import type { StoreEntry } from './parts.ts';
import { storeSentences } from './report/answer-sentences.ts';
import { pageSections } from './report/page-sections.ts';
import { readPublishedAverages } from './report/published-averages.ts';
import { storeCharts } from './report/store-charts.ts';
import { studyTables } from './report/study-tables.ts';

export const report: StudyReport = {
  readPublished: readPublishedAverages,
  seriesOf: ({ persistence }: StoreEntry) => persistence?.series,
  async views(model, { published: file }) {
    const published = file === undefined ? undefined : await readPublishedAverages(file);
    const tables = studyTables(model, published);
    const all = [...tables, ...trendTables(model, storeTime)];
    return {
      hasControls: true,
      times: ['responseTime'],
      lines: () => ({ ...storeCharts(model), ...trendPanels(model, storeTime) }),
      page: () => pageSections(model, tables),
      terminal: (columns, styles) => [
        ...terminalSections(storeSentences(model), tables, columns, styles),
        ...trendLines(model, columns, styles, storeTime),
      ],
      answer: () => storeSentences(model),
      markdown: () => [...storeSentences(model).map(escapeMarkdown), ...markdownTables(all)],
    };
  },
};

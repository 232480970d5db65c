/** The report of a stream study: the answer, throughput, what windows change, latencies, resources, the check. */
import type { Cell } from '@topo-bench/core/schema/result';
import { escapeMarkdown, markdownTables, type StudyReport } from '@topo-bench/report';
import { terminalSections } from '../terminal-sections.ts';
import { latencyPanels } from './report/latency-charts.ts';
import { operatorPanels } from './report/operator-chart.ts';
import { pageSections } from './report/page-sections.ts';
import { readPublishedMeans } from './report/published-means.ts';
import { figuresOfCells, streamKeys } from './report/stream-cells.ts';
import { streamSentences } from './report/stream-sentences.ts';
import { streamTables } from './report/stream-tables.ts';

export const report: StudyReport = {
  readPublished: readPublishedMeans,
  async views(model, { published: file }) {
    const published = file === undefined ? undefined : await readPublishedMeans(file);
    const tables = streamTables(model, published);
    return {
      hasControls: true,
      times: [],
      lines: () => ({ latency: latencyPanels(model) }),
      series: () => ({ operators: operatorPanels(model) }),
      page: () => pageSections(model, tables, published),
      terminal: (columns, styles) => terminalSections(streamSentences(model), tables, columns, styles),
      answer: () => streamSentences(model),
      markdown: () => [...streamSentences(model).map(escapeMarkdown), ...markdownTables(tables)],
      csv: { keys: streamKeys, values: csvValues },
    };
  },
};

function csvValues(cells: readonly Cell[]): number[] {
  const figures = figuresOfCells(cells);
  return streamKeys.map((key) => figures[key]);
}

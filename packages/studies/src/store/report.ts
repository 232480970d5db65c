/**
 * The report of a store study: verdicts and averages, each metric against the load, scores, and the servers of the
 * stores.
 */
import type { StudyReport } from '@topo-bench/report';
import { escapeMarkdown, markdownTables } from '@topo-bench/report/markdown-text';
import { thresholdSentences } from '@topo-bench/report/model/threshold-sentences';
import { pageSections } from './report/page-sections.ts';
import { studyTables } from './report/study-tables.ts';
import { terminalSections } from './report/terminal-sections.ts';

export const report: StudyReport = {
  throughGateway: false,
  hasControls: false,
  page: pageSections,
  terminal: terminalSections,
  markdown: (model) => [...thresholdSentences(model).map(escapeMarkdown), ...markdownTables(studyTables(model))],
};

/** The report of a routing study: the answer, then round-trip times, cost, decisions and resources by architecture. */
import { hasFigures, type StudyReport } from '@topo-bench/report';
import { answerSection } from './report/answer-section.ts';
import { costSection } from './report/cost-section.ts';
import { decisionsSection } from './report/decisions-section.ts';
import { distributionSection } from './report/distribution-section.ts';
import { loadSection } from './report/load-section.ts';
import { markdown } from './report/markdown.ts';
import { overTimeSection } from './report/over-time-section.ts';
import { resourcesSection } from './report/resources-section.ts';
import { rttSection } from './report/rtt-section.ts';
import { answerSection as answerLines } from './report/terminal/answer-section.ts';
import { boxSection as boxLines } from './report/terminal/box-section.ts';
import { rttSection as rttLines } from './report/terminal/rtt-section.ts';
import { weightedAverageSection as weightedAverageLines } from './report/terminal/weighted-average-section.ts';
import { workSection as workLines } from './report/terminal/work-section.ts';

const measuredSections = [
  rttSection,
  distributionSection,
  overTimeSection,
  loadSection,
  costSection,
  decisionsSection,
  resourcesSection,
];

export const report: StudyReport = {
  throughGateway: true,
  hasControls: true,
  page: (model) => [answerSection(model), ...(hasFigures(model) ? measuredSections.map((section) => section(model)) : [])],
  terminal: (model, columns, styles) => [
    answerLines(model, columns, styles),
    rttLines(model, columns, styles),
    boxLines(model, columns, styles),
    weightedAverageLines(model, columns, styles),
    workLines(model, columns, styles),
  ],
  markdown,
};

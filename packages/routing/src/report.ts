/** The report of a routing study: the answer, then round-trip times, cost, decisions and resources by architecture. */
import type { RunRecord } from '@topo-bench/core/schema/result';
import { escapeMarkdown, hasFigures, markdownTables, type StudyReport } from '@topo-bench/report';
import { trendPanels, trendSections } from '@topo-bench/report/html';
import { answerSection } from './report/answer-section.ts';
import { costSection } from './report/cost-section.ts';
import { crashLosses } from './report/crash-losses.ts';
import { decisionFigures } from './report/decision-figures.ts';
import { decisionsSection } from './report/decisions-section.ts';
import { distributionSection } from './report/distribution-section.ts';
import { eventColumns } from './report/event-columns.ts';
import { hasEvents } from './report/event-figures.ts';
import { classPanels, eventsSections } from './report/events-section.ts';
import { findingsLines, findingsSection } from './report/findings.ts';
import { loadSection } from './report/load-section.ts';
import { markdown } from './report/markdown.ts';
import { overTimeSection } from './report/over-time-section.ts';
import { publishedFindings } from './report/published-findings.ts';
import { publishedMedianUs, readPublishedMedians } from './report/published-medians.ts';
import { resourcesSection } from './report/resources-section.ts';
import { readRoutingModel } from './report/routing-model.ts';
import { routingSentences } from './report/routing-sentences.ts';
import { rttSection } from './report/rtt-section.ts';
import { ruleChanges } from './report/rule-changes.ts';
import { summaryOf } from './report/summary.ts';
import { answerSection as answerLines } from './report/terminal/answer-section.ts';
import { boxSection as boxLines } from './report/terminal/box-section.ts';
import { eventsSection as eventLines } from './report/terminal/events-section.ts';
import { rttSection as rttLines } from './report/terminal/rtt-section.ts';
import { trendSections as trendLines } from './report/terminal/trend-sections.ts';
import { weightedAverageSection as weightedAverageLines } from './report/terminal/weighted-average-section.ts';
import { workSection as workLines } from './report/terminal/work-section.ts';
import { topologySection } from './report/topology-section.ts';
import { undecidedSteps } from './report/undecided-steps.ts';
import { versionPanels } from './report/version-panels.ts';

const measuredSections = [
  rttSection,
  distributionSection,
  overTimeSection,
  loadSection,
  costSection,
  decisionsSection,
  resourcesSection,
];

const terminalSections = [eventLines, rttLines, boxLines, weightedAverageLines, workLines];

export const report: StudyReport = {
  deadlineUs,
  readPublished: readPublishedMedians,
  async views(common, sources) {
    const model = await readRoutingModel(common, sources);
    const { published } = model;
    let drawn: ReturnType<NonNullable<typeof sources.drawings>> | undefined;
    const drawings = () => (drawn ??= sources.drawings?.() ?? {});
    const findings = [
      ...crashLosses(model),
      ...ruleChanges(model),
      ...undecidedSteps(model),
      ...publishedFindings(model),
    ];
    return {
      hasControls: true,
      lines: () => trendPanels(model),
      ...(hasEvents(model) && { series: () => ({ classes: classPanels(model), versions: versionPanels(model) }) }),
      drawings,
      ...(sources.whatIf && { whatIf: sources.whatIf }),
      page: () => [
        answerSection(model),
        ...findings.map(findingsSection),
        ...topologySection(drawings()),
        ...trendSections(model),
        ...eventsSections(model),
        ...(hasFigures(model) ? measuredSections.map((section) => section(model)) : []),
      ],
      terminal: (columns, styles) => [
        answerLines(model, columns, styles),
        ...findings.map((one) => findingsLines(one, columns, styles)),
        ...trendLines(model, columns, styles),
        ...terminalSections.map((section) => section(model, columns, styles)),
      ],
      answer: () => [...findings.flatMap(({ sentences }) => sentences), ...routingSentences(model)],
      summary: () => summaryOf(model),
      csv: eventColumns(model),
      decision: () => decisionFigures(model),
      markdown: () => [
        ...findings.flatMap(({ sentences, table }) => [...sentences.map(escapeMarkdown), ...markdownTables([table])]),
        ...markdown(model),
      ],
      ...(published && { publishedMedianUs: (factors) => publishedMedianUs(published, factors) }),
    };
  },
};

/** The gateway's deadline for a request. */
function deadlineUs({ topology }: RunRecord): number | undefined {
  const request = (topology as { deadlines?: { request?: unknown } } | null)?.deadlines?.request;
  return typeof request === 'number' ? request : undefined;
}

/** The data of a report, and its factors, cells and figures. */

export * from '../rate-search/rate-search.ts';
export * from '../rate-search/rate-search-sentences.ts';
export * from '../rate-search/rate-search-tables.ts';
export { runnerSentences } from '../runner-sentences.ts';
export * from '../study-table.ts';
export type { TrendFigure } from '../trend/trend-figure.ts';
export { trendSentences } from '../trend/trend-sentences.ts';
export { trendTables } from '../trend/trend-table.ts';
export * from './box-plot.ts';
export * from './cell-group.ts';
export * from './factors.ts';
export * from './published-file.ts';
export * from './report-levels.ts';
export * from './report-model.ts';
export * from './sample-figures.ts';
export * from './sentences-by-subject.ts';
export * from './threshold-sentences.ts';
export * from './time-metric.ts';
export * from './usage-timeline.ts';

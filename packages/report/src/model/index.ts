/** The data of a report, and its factors, cells and figures. */
export * from './box-plot.ts';
export * from './cell-group.ts';
export * from './factors.ts';
export * from './published-file.ts';
export * from './report-levels.ts';
export * from './report-model.ts';
export * from './sample-figures.ts';
export * from './threshold-sentences.ts';
export * from './time-metric.ts';

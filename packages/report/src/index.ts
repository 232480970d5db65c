/** The report in all its forms. Run folders are the only input. */
export * from './csv.ts';
export * from './figure-text.ts';
export * from './html/page.ts';
export * from './html/summary-page.ts';
export * from './markdown.ts';
export * from './markdown-text.ts';
export { hasFigures } from './model/cell-group.ts';
export * from './model/report-model.ts';
export * from './price.ts';
export * from './read-report.ts';
export * from './request-rows.ts';
export * from './scale.ts';
export { simulatedText } from './simulated-text.ts';
export * from './study-report.ts';
export * from './study-table.ts';
export * from './tabular.ts';
export * from './terminal/summary-table.ts';
export * from './write-report.ts';

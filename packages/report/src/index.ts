/** The report in all its forms, from run folders alone. */
export * from './model/report-model.ts';
export * from './terminal/summary-table.ts';

/** Components of the terminal report. */
export * from './factor-cells.ts';
export * from './sentence-lines.ts';
export * from './study-table-lines.ts';
export * from './summary-table.ts';
export * from './text.ts';
export * from './text-box.ts';
export * from './text-table.ts';
export * from './trend-lines.ts';

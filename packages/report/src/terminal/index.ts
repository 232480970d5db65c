/** Components of the terminal report. */
export * from './factor-cells.ts';
export * from './study-table-lines.ts';
export * from './styles.ts';
export * from './summary-table.ts';
export * from './text.ts';
export * from './text-box.ts';
export * from './text-table.ts';

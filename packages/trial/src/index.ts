/** The port of a run: what a session needs to know of cells, kinds of study and backends, measured or simulated. */
export type * from './backend.ts';
export type * from './effort.ts';
export type * from './load-event.ts';
export type * from './run-event.ts';
export * from './sides.ts';
export * from './study.ts';
export type * from './study-input.ts';
export type * from './test-bed.ts';

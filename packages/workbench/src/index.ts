/** The workbench: an experiment from its texts to problems, cells, estimate, run, gate and report. */
export type * from './estimate.ts';
export * from './open.ts';
export * from './recorded.ts';
export type * from './run.ts';
export type * from './setting.ts';
export * from './workbench.ts';

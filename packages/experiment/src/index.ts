/** Runs experiments: resolves, measures in rounds on any backend, and resumes. */
export * from './build-cell.ts';
export * from './cells.ts';
export * from './estimate-run.ts';
export * from './failed-repetition.ts';
export * from './problem-list.ts';
export * from './read-inputs.ts';
export * from './resolve-experiment.ts';
export * from './round-order.ts';
export * from './round-plan.ts';
export * from './run-experiment.ts';
export * from './run-record.ts';

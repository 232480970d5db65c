/** Runs experiments: resolves, deploys, measures in rounds, and resumes. */
export * from './backend.ts';
export * from './build-cell.ts';
export * from './capacities.ts';
export * from './cells.ts';
export * from './deploy-cell.ts';
export * from './estimate-run.ts';
export * from './lacks.ts';
export * from './load-place.ts';
export * from './measured-backend.ts';
export * from './problem-list.ts';
export * from './process-records.ts';
export * from './process-use.ts';
export * from './process-watch.ts';
export * from './read-inputs.ts';
export * from './resolve-experiment.ts';
export * from './role-usage.ts';
export * from './round-order.ts';
export * from './run-event.ts';
export * from './run-experiment.ts';
export * from './run-record.ts';
export * from './start-roles.ts';

export * from './stores/check-servers.ts';
export * from './stores/prepare-stores.ts';
export * from './stores/store-servers.ts';
export * from './study.ts';
export * from './study-runs.ts';

/** Experiments: read, resolved to cells, estimated, run. */
export * from './build-cell.ts';
export * from './cells.ts';
export * from './estimate-run.ts';
export * from './laboratory.ts';
export * from './local-laboratory.ts';
export * from './problem-list.ts';
export * from './read-inputs.ts';
export * from './resolve-experiment.ts';
export * from './run-event.ts';
export * from './run-experiment.ts';
export * from './run-record.ts';
export * from './side-by-side/ref.ts';
export * from './side-by-side/run-side-by-side.ts';
export * from './side-by-side/sides.ts';
export { withSecrets } from './stored-secrets.ts';

/** Starting and stopping deployments: the port and its registry. */
export * from './require-runner.ts';
export * from './runner.ts';
export * from './runners.ts';

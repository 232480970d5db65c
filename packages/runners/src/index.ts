/** Starting and stopping deployments: the port and its registry. */
export * from './runner.ts';
export * from './runners.ts';

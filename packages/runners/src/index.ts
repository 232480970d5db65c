/** Starting and stopping deployments: the port and its registry. */
export * from './in-parallel.ts';
export * from './local/role-environment.ts';
export * from './local/runner.ts';
export * from './require-runner.ts';
export * from './runner.ts';
export * from './runners.ts';

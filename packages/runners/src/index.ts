/** Starting and stopping deployments: the port and its registry. */
export { changeRules } from './change-rules.ts';
export * from './in-parallel.ts';
export * from './judge-plans.ts';
export * from './leftover.ts';
export * from './local/role-environment.ts';
export * from './local/runner.ts';
export * from './runner.ts';
export * from './runner-options.ts';
export * from './runners.ts';

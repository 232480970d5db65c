/**
 * Names of the runners, for the experiment schema; `packages/runners` has an entry for each. The first is the default.
 */
export const runnerNames = ['local'] as const;
export type RunnerName = (typeof runnerNames)[number];

/**
 * Names of the runners, for the experiment schema; `packages/runners` has an entry for each. The first is the default.
 */
export const runnerNames = ['local', 'docker', 'kubernetes'] as const;
/** Roles are processes on this machine. */
export const [localRunner] = runnerNames;
/** Roles are pods of a cluster, whose network has delays of its own. */
export const [, , clusterRunner] = runnerNames;
export type RunnerName = (typeof runnerNames)[number];

/** The registry of runners: each loads its own code on first use. */
import type { RunnerName } from '@topo-bench/core';
import type { Leftover } from './leftover.ts';
import type { Runner } from './runner.ts';
import type { RunnerOptions } from './runner-options.ts';

export interface RunnerEntry {
  /** Environment of the roles, for help texts and `doctor`. */
  description: string;
  load(options: RunnerOptions): Promise<Runner>;
  /**
   * What killed processes left behind. Absent where roles end with the process that started them. Rejects when the
   * engine or cluster does not answer.
   */
  leftovers?(options: RunnerOptions): Promise<Leftover[]>;
  /** Whether it creates network policies. The network may enforce them late, or never. */
  createsPolicies?: true;
}

/** One entry for each name that the experiment schema allows. A missing or unknown name is a compile error. */
export const runners: Readonly<Record<RunnerName, RunnerEntry>> = {
  local: {
    description: 'child processes on this machine',
    load: async (options) => (await import('./local/runner.ts')).localRunner(options),
  },
  docker: {
    description: 'containers of Docker or Podman',
    load: async (options) => (await import('./docker/runner.ts')).dockerRunner(options),
    leftovers: async (options) => (await import('./docker/leftovers.ts')).dockerLeftovers(options),
  },
  kubernetes: {
    description: 'pods of a Kubernetes cluster',
    load: async (options) => (await import('./kubernetes/runner.ts')).kubernetesRunner(options),
    leftovers: async (options) => (await import('./kubernetes/leftovers.ts')).kubernetesLeftovers(options),
    createsPolicies: true,
  },
};

export function createRunner(name: RunnerName, options: RunnerOptions): Promise<Runner> {
  return runners[name].load(options);
}

/** Returns the runner with a name. */
export type RunnerNamed = (name: RunnerName) => Promise<Runner>;

/** Runners with common options, each created on first use. */
export function runnersWith(options: RunnerOptions): RunnerNamed {
  const created = new Map<RunnerName, Promise<Runner>>();
  return (name) => {
    const runner = created.get(name) ?? createRunner(name, options);
    created.set(name, runner);
    return runner;
  };
}

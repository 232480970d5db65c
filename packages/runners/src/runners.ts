/** The registry of runners: each loads its own code on first use. */
import type { RunnerName } from '@topo-bench/core';
import type { Runner } from './runner.ts';

export interface RunnerOptions {
  /** Path of the built service entry, which turns the documents of a role into a role. */
  serviceEntry: string;
}

export interface RunnerEntry {
  /** Environment of the roles, for help texts and `doctor`. */
  description: string;
  load(options: RunnerOptions): Promise<Runner>;
}

/** One entry for each name that the experiment schema allows. A missing or unknown name is a compile error. */
export const runners: Readonly<Record<RunnerName, RunnerEntry>> = {
  local: {
    description: 'child processes on this machine',
    load: async (options) => (await import('./local/runner.ts')).localRunner(options),
  },
};

export function createRunner(name: RunnerName, options: RunnerOptions): Promise<Runner> {
  return runners[name].load(options);
}

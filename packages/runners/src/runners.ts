/** The registry of runners: each loads its own code only when it is asked for. */
import type { Runner } from './runner.ts';

export const runnerNames = ['local'] as const;

export type RunnerName = (typeof runnerNames)[number];

export interface RunnerOptions {
  /** Path of the service entry file that turns a role config into a role (local runner). */
  serviceEntry: string;
}

export async function createRunner(name: RunnerName, options: RunnerOptions): Promise<Runner> {
  const loaders: Record<RunnerName, () => Promise<Runner>> = {
    local: async () => (await import('./local/runner.ts')).localRunner(options),
  };
  return loaders[name]();
}

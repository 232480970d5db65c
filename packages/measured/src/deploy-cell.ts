/** Starts the roles of a cell, with the settings of its experiment. */
import { changesProcesses, inFlightCap } from '@topo-bench/deployment';
import type { Launcher } from '@topo-bench/loadgen';
import type { Runner } from '@topo-bench/runners';
import type { ExperimentCell } from '@topo-bench/trial';
import type { DeployedCell } from './measured-study.ts';
import { startRoles } from './start-roles.ts';
import type { ServiceStore } from './stores/prepare-stores.ts';

export interface DeployOptions {
  runner: Pick<Runner, 'start'>;
  logsDir: string;
  /** Share of requests whose hops are traced, 0 to 1. */
  traceShare: number;
  stores?: readonly ServiceStore[];
  launcher?: Launcher | undefined;
  /** Prepares CPU profiles. Default: false. */
  profile?: boolean | undefined;
  signal: AbortSignal;
}

/** @throws TopoBenchError what the runner throws */
export async function deployCell(
  cell: ExperimentCell,
  { runner, logsDir, traceShare, stores = [], launcher, profile = false, signal }: DeployOptions,
): Promise<DeployedCell> {
  const { graph, plan, settings } = cell;
  const cap = inFlightCap(settings.load.inFlightCap, graph);
  const roles = { graph, plan, seed: settings.seed, stores, traceShare, inFlightCap: cap };
  const keepers = settings.events.some(changesProcesses);
  return { cell, ...(await startRoles(runner, roles, { logsDir, profile, keepers, signal })), stores, launcher };
}

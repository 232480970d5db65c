/** Starts the roles of a cell, with the settings of its experiment. */
import type { Launcher } from '@topo-bench/loadgen';
import type { Runner } from '@topo-bench/runners';
import { type ExperimentCell, inFlightCap } from './build-cell.ts';
import { type StartedRoles, startRoles } from './start-roles.ts';
import type { ServiceStore } from './stores/prepare-stores.ts';

export interface DeployedCell extends StartedRoles {
  /** Any cell of the deployment. */
  cell: ExperimentCell;
  /** In the order of the services that keep data. */
  stores: readonly ServiceStore[];
  /** Starts load generators; default: processes on this host. */
  launcher: Launcher | undefined;
}

export interface DeployOptions {
  runner: Runner;
  logsDir: string;
  /** Share of requests whose hops are traced, 0 to 1. */
  traceShare: number;
  stores?: readonly ServiceStore[];
  launcher?: Launcher | undefined;
  signal: AbortSignal;
}

/** @throws TopoBenchError what the runner throws */
export async function deployCell(
  cell: ExperimentCell,
  { runner, logsDir, traceShare, stores = [], launcher, signal }: DeployOptions,
): Promise<DeployedCell> {
  const { graph, plan, settings } = cell;
  const cap = inFlightCap(settings.load.inFlightCap, graph);
  const roles = { graph, plan, seed: settings.seed, stores, traceShare, inFlightCap: cap };
  return { cell, ...(await startRoles(runner, roles, { logsDir, signal })), stores, launcher };
}

/** Starts the roles of a cell: the one place that turns a cell into running processes. */
import { randomBytes } from 'node:crypto';
import type { DeliveryKeys } from '@topo-bench/core';
import type { DeploymentDocuments } from '@topo-bench/core/role-config';
import { deliveryKeys, deploymentDocuments } from '@topo-bench/deployment';
import type { Launcher } from '@topo-bench/loadgen';
import type { Deployment, Runner } from '@topo-bench/runners';
import { type ExperimentCell, inFlightCap } from './build-cell.ts';
import { type ServiceStore, storeUrls } from './stores/prepare-stores.ts';

export interface DeployedCell {
  /** Any cell of the deployment. */
  cell: ExperimentCell;
  deployment: Deployment;
  documents: DeploymentDocuments;
  /** With which roles redact payloads and return digests. */
  keys: DeliveryKeys;
  /** In the order of the services that keep data. */
  stores: readonly ServiceStore[];
  /** Where load generators run; left out: processes on this host. */
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
  const secret = randomBytes(32).toString('base64url');
  const documents = deploymentDocuments({
    graph,
    plan,
    seed: settings.seed,
    secret,
    traceShare,
    inFlightCap: inFlightCap(settings.load.inFlightCap, graph),
    storeUrls: storeUrls(stores),
  });
  const deployment = await runner.start(documents, { logsDir, signal });
  return { cell, deployment, documents, keys: deliveryKeys(secret), stores, launcher };
}

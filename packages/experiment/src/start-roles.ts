/** Starts the roles of a plan with secrets of their own: the one way from a graph to a running deployment. */
import { randomBytes } from 'node:crypto';
import type { DeliveryKeys, DeploymentDocuments } from '@topo-bench/core';
import { clientToken, type DeploymentPlan, deliveryKeys, deploymentDocuments } from '@topo-bench/deployment';
import type { Deployment, Runner, StartOptions } from '@topo-bench/runners';
import type { Graph } from '@topo-bench/topology';
import { type ServiceStore, storeUrls } from './stores/prepare-stores.ts';

export interface RolesToStart {
  graph: Graph;
  plan: DeploymentPlan;
  /** Seed of service times and jitter. */
  seed: number;
  /** In the order of the services that keep data. */
  stores: readonly ServiceStore[];
  /** Share of requests whose hops are traced, 0 to 1. Default: 0. */
  traceShare?: number;
  /** Max open requests at the gateway. Default: by style. */
  inFlightCap?: number;
}

export interface StartedRoles {
  deployment: Deployment;
  documents: DeploymentDocuments;
  /** Keys of redacted payloads and of digests. */
  keys: DeliveryKeys;
  /** Token of clients of items and columns. */
  clientToken: string;
}

/** @throws TopoBenchError what the runner throws */
export async function startRoles(
  runner: Runner,
  { stores, ...roles }: RolesToStart,
  options: StartOptions,
): Promise<StartedRoles> {
  const secret = randomBytes(32).toString('base64url');
  let documents: DeploymentDocuments | undefined;
  const deployment = await runner.start(
    roles.plan,
    (place) => {
      documents = deploymentDocuments({ ...roles, place, secret, storeUrls: storeUrls(stores) });
      return documents;
    },
    options,
  );
  return {
    deployment,
    documents: documents as DeploymentDocuments,
    keys: deliveryKeys(secret),
    clientToken: clientToken(secret),
  };
}

/** Starts the roles of a plan with secrets of their own: the one way from a graph to a running deployment. */
import { randomBytes } from 'node:crypto';
import type { DeliveryKeys, DeploymentDocuments } from '@topo-bench/core';
import { clientToken, type DeploymentPlan, deliveryKeys, deploymentDocuments } from '@topo-bench/deployment';
import type { Deployment, Runner, StartOptions } from '@topo-bench/runners';
import type { Graph } from '@topo-bench/topology';
import { readFlightSecrets } from './flight-secrets.ts';
import { type ServiceStore, storeContainers, storeUrls } from './stores/prepare-stores.ts';

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

/**
 * @throws TopoBenchError what the runner throws; `TB_ROLE_NOT_READY` without the password or certificates of a service
 */
export async function startRoles(
  runner: Pick<Runner, 'start'>,
  { stores, ...roles }: RolesToStart,
  options: StartOptions,
): Promise<StartedRoles> {
  const secret = randomBytes(32).toString('base64url');
  const flightSecrets = await readFlightSecrets(roles.graph);
  let documents: DeploymentDocuments | undefined;
  const deployment = await runner.start(
    roles.plan,
    (place) => {
      documents = deploymentDocuments({ ...roles, place, secret, storeUrls: storeUrls(stores), flightSecrets });
      return documents;
    },
    { servers: storeContainers(stores), ...options },
  );
  return {
    deployment,
    documents: documents as DeploymentDocuments,
    keys: deliveryKeys(secret),
    clientToken: clientToken(secret),
  };
}

/** The roles of a cell as their documents configure them, without addresses and secrets. */
import type { DeploymentGraph, RoleConfig } from '@topo-bench/core';
import { deploymentGraph } from '@topo-bench/deployment/deployment-graph';
import type { DeploymentPlan } from '@topo-bench/deployment/deployment-plan';
import { roleConfig } from '@topo-bench/deployment/role-config';
import type { Graph } from '@topo-bench/topology/graph';

export type SimulatedRole = RoleConfig & { graph: DeploymentGraph };

export interface SimulatedRolesOptions {
  /** Seeds service times and jitter. */
  seed: number;
  /** Default: by style. */
  inFlightCap?: number | undefined;
}

/** No role of a simulation listens. */
const nowhere = { host: 'simulated', port: 1 };

/** In the order of the plan, the gateway first. */
export function simulatedRoles(
  graph: Graph,
  plan: DeploymentPlan,
  { seed, inFlightCap }: SimulatedRolesOptions,
): SimulatedRole[] {
  const place = {
    listen: () => nowhere,
    urlOf: () => undefined,
    storeUrl: (url: string) => url,
    network: 'simulated' as const,
  };
  const shared = deploymentGraph(graph, plan, place.network);
  const options = { graph, plan, seed, place, ...(inFlightCap !== undefined && { inFlightCap }) };
  return plan.roles.map((role) => ({ ...roleConfig(role, options), graph: shared }));
}

/** Addresses of the roles of a deployment. The runner places the roles and passes their placement to the planner. */
import type { RoleConfig } from '@topo-bench/core';
import type { RolePlan } from './deployment-plan.ts';

export interface Placement {
  /** Address on which a role listens. */
  listen(role: RolePlan): RoleConfig['listen'];
  /** Address of a role for its peers; undefined until the role listens. */
  urlOf(role: RolePlan): string | undefined;
  /** Connection string of a store for the role of its service. @param url for the process that runs topo-bench */
  storeUrl(url: string): string;
  /**
   * `simulated`: the nodes of the topology share a network, and the sender of a message adds the delay of the link.
   * `real`: the network between the nodes has its own delay.
   */
  network: 'simulated' | 'real';
}

/** Addresses of the roles of a deployment. The runner places the roles and passes their placement to the planner. */
import type { RoleConfig } from '@topo-bench/core';
import type { RolePlan } from './deployment-plan.ts';

export interface Placement {
  /** Address on which a role listens. */
  listen(role: RolePlan): RoleConfig['listen'];
  /**
   * Address of a role for its peers; undefined until the role listens.
   * @param from the peer, if a specific one: a role in the same pod has another address
   */
  urlOf(role: RolePlan, from?: RolePlan): string | undefined;
  /** Address of the control routes of a role for its peers, where it is different from that of its data. */
  controlUrlOf?(role: RolePlan): string;
  /**
   * Scheme, host and port of the container of `userImage`, for its role and its enforcement point. Absent in runners
   * that start no containers.
   */
  userImageUrlOf?(role: RolePlan): string;
  /**
   * Address for roles of a server outside the deployment: a store, or a user-supplied service that already runs.
   * @param url for the process that runs topo-bench
   */
  storeUrl(url: string): string;
  /**
   * `simulated`: the nodes of the topology share a network, and the sender of a message adds the delay of the link.
   * `real`: the network between the nodes has its own delay.
   */
  network: 'simulated' | 'real';
}

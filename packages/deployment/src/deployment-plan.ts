/**
 * The processes that an architecture needs for a graph: the node of each, and the services that it is responsible for.
 * `plan-deployment.ts` computes them.
 */
import type { RoleKind } from '@topo-bench/core';

export interface RolePlan {
  /** Unique in the deployment; also its host name in containers. */
  readonly name: string;
  readonly kind: RoleKind;
  /** Index into `Graph.nodes`. */
  readonly node: number;
  /** Services (indexes) that it decides for; a service's own index; empty for the gateway. */
  readonly responsibleFor: readonly number[];
  /** Names of the roles it sends to. */
  readonly peers: readonly string[];
  /** Container image of the user-supplied service that the role stands next to. */
  readonly image?: string;
}

export interface DeploymentPlan {
  /** The gateway first, then enforcement points, then services in file order. */
  readonly roles: readonly RolePlan[];
  /** By service index: name of the role that executes the step for it (itself under `none`). */
  readonly executorOf: readonly string[];
}

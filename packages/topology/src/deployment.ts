/**
 * Which processes an architecture needs for a graph, where they run and who is responsible for which service.
 * The types; `plan-deployment.ts` computes them.
 */
export const gatewayName = 'gateway';
export const centralEntityName = 'central-entity';
/** `router-1` … `router-k`; sidecars are named `<service>-sidecar`. */
export const routerName = (index: number): string => `router-${index + 1}`;
export const sidecarName = (service: string): string => `${service}-sidecar`;

export type RoleKind = 'gateway' | 'service' | 'central-entity' | 'router' | 'sidecar';

export interface RolePlan {
  /** Unique in the deployment; also its host name in containers. */
  readonly name: string;
  readonly kind: RoleKind;
  /** Index into `Graph.nodes`. */
  readonly node: number;
  /** Services (indexes) that it decides for or, for a service, itself; empty for the gateway. */
  readonly responsibleFor: readonly number[];
  /** Names of the roles it sends to. */
  readonly peers: readonly string[];
}

export interface DeploymentPlan {
  /** The gateway first, then enforcement points, then services in file order. */
  readonly roles: readonly RolePlan[];
  /** By service index: name of the role that executes the step for it (itself under `none`). */
  readonly executorOf: readonly string[];
}

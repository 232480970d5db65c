/**
 * The processes that an architecture needs for a graph: the node of each, and the services that it is responsible for.
 * `plan-deployment.ts` computes them.
 */
import type { RoleKind } from '@topo-bench/core';
import type { Limits } from '@topo-bench/core/schema/limits';
import type { UserImage } from '@topo-bench/core/schema/user-service';

export interface RolePlan {
  /** Unique in the deployment; also its host name in containers. */
  readonly name: string;
  readonly kind: RoleKind;
  /** Index into `Graph.nodes`. */
  readonly node: number;
  /** Services (indexes) that it decides for; a service's own index; empty for the gateway. */
  readonly responsibleFor: readonly number[];
  /** Services (indexes) of another point that it decides for while that is down; it has their rules too. */
  readonly takesOver?: readonly number[];
  /** Names of the roles it sends to. */
  readonly peers: readonly string[];
  /** The user-supplied service in a container that the role stands next to. The runner starts it before the role. */
  readonly userImage?: UserImage;
  /** Scheme, host and port of the user-supplied service, when it already runs. */
  readonly userUrl?: string;
  /** The command line of the user-supplied service, when the role starts one. */
  readonly userCommand?: string;
  /** Limits of its process; with `userImage`, those of the container of that image instead. */
  readonly limits?: Limits;
}

export interface DeploymentPlan {
  /** The gateways first, then enforcement points, then services in file order. */
  readonly roles: readonly RolePlan[];
  /** By service index: name of the enforcement point that executes its step (the service itself under `none`). */
  readonly executorOf: readonly string[];
  /** Names of the processes of each enforcement point, its own first. Absent where each point has one. */
  readonly replicas?: Readonly<Record<string, readonly string[]>>;
  /** By enforcement point: the one that takes over while it is down, or itself. Absent where none does. */
  readonly takeover?: Readonly<Record<string, string>>;
}

/** Services (indexes) whose rules a role has. */
export function ruledBy({ responsibleFor, takesOver = [] }: RolePlan): number[] {
  return [...responsibleFor, ...takesOver];
}

/** The processes that may decide for a point: its own, then those of the point that takes over. */
export function decidersOf(plan: Pick<DeploymentPlan, 'replicas' | 'takeover'>, point: string): string[] {
  const other = plan.takeover?.[point] ?? point;
  return [...new Set([...replicasOfPoint(plan, point), ...replicasOfPoint(plan, other)])];
}

/** Names of the processes of a point. */
export function replicasOfPoint({ replicas }: Pick<DeploymentPlan, 'replicas'>, point: string): readonly string[] {
  return replicas?.[point] ?? [point];
}

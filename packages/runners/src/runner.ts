/**
 * The port of all runners: turns a plan into running processes, containers or pods, and returns a deployment to
 * measure, monitor and tear down. A runner starts roles by path or image, independent of their work.
 */
import type { DeploymentDocuments, Problem, RoleKind, RoleStats, Span, TopoBenchError } from '@topo-bench/core';
import type { Host } from '@topo-bench/core/schema/result';
import type { DeploymentPlan, Placement } from '@topo-bench/deployment';
import type { GroupUsage, ProcessUsage } from '@topo-bench/host';

/** A requirement of a deployment that a machine or cluster lacks. */
export interface RunnerProblem extends Pick<Problem, 'code' | 'message' | 'hint'> {}

export interface Runner {
  /** Returns the problems that prevent the deployment of this plan; empty when it can be deployed. */
  check(plan: DeploymentPlan): Promise<RunnerProblem[]>;
  /**
   * Starts every role and resolves when each has answered its health check and received its peers. If one fails, all
   * are stopped before the promise rejects.
   * @throws TopoBenchError `TB_ROLE_DIED`, `TB_ROLE_NOT_READY`, `TB_ROLE_PORT_TAKEN`, `TB_RUNNER_NO_RESOURCES`,
   * `TB_RUNNER_CANNOT_START`, `TB_INTERRUPTED` when `signal` was aborted
   */
  start(plan: DeploymentPlan, configure: Configure, options: StartOptions): Promise<Deployment>;
}

/** Called once, when the runner has placed the roles. @returns the documents of all roles, in the order of the plan */
export type Configure = (place: Placement) => DeploymentDocuments;

export interface StartOptions {
  /** Folder of the logs, one `<role>.log` each; created if missing. Existing logs are appended to. */
  logsDir: string;
  /** Timeout of the whole start. Default: 30 s plus 1 s per role. */
  readyTimeoutMs?: number;
  /** Port of the gateway. Default: a free one. */
  gatewayPort?: number;
  /** Aborts the start. */
  signal?: AbortSignal;
}

export interface DeployedRole {
  name: string;
  kind: RoleKind;
  url: string;
  /** Present for a service that serves columns over Arrow Flight. */
  flightUrl?: string;
  /** Index of its node. */
  node: number;
  /** Id of the host that it runs on. */
  host: string;
  /** Whether it has CPU priority over the other roles; absent where unknown. */
  goesFirst?: boolean;
}

export interface UsageOptions {
  /** Also reads the proportional set size, which takes 1 ms or more for each role. */
  pss?: boolean;
}

/** Resources used by the processes of a role since they started. */
export interface RoleUsage {
  name: string;
  kind: RoleKind;
  /** The role's own process; absent where the host does not report it. */
  process?: ProcessUsage;
  /** Proportional set size of that process, if requested and reported by the host. */
  pssBytes?: number;
  /** Whether its steps are those of a user-supplied service. */
  userService: boolean;
  /** Use of that service, when the role started it. */
  started?: GroupUsage;
}

export interface Deployment {
  gatewayUrl: string;
  /** In the order of the documents. */
  roles: readonly DeployedRole[];
  /** The machines that the roles run on. */
  hosts: readonly Host[];
  /**
   * CPU time and memory of every role, in the order of `roles`, as counted by its host. The roles do no work for it.
   */
  usage(options?: UsageOptions): Promise<RoleUsage[]>;
  /**
   * CPU time in µs of all roles on this host that do not descend from this process. It separates foreign load on the
   * host of the load generator from the load of the roles.
   */
  detachedCpuUs(): Promise<number>;
  /** Counters of every role since the last reset, in the order of `roles`. Rejects with `TB_ROLE_NO_ANSWER`. */
  stats(): Promise<RoleStats[]>;
  /** Zeroes the counters of every role. Rejects with `TB_ROLE_NO_ANSWER`. */
  reset(): Promise<void>;
  /** Traced spans of all roles since the last call; the roles then drop them. Rejects with `TB_ROLE_NO_ANSWER`. */
  spans(): Promise<Span[]>;
  /** Calls back once for every role that ends before `stop`, also when it already has (`TB_ROLE_DIED`). */
  onDeath(callback: (error: TopoBenchError, role: DeployedRole) => void): void;
  /** Ends every role and waits until all have ended. May be called again. */
  stop(): Promise<void>;
}

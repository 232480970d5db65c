/**
 * The port of all runners: turns a plan into running processes, containers or pods, and returns a deployment to
 * measure, monitor and tear down. A runner starts roles by path or image, independent of their work.
 */
import type { Agent } from 'node:http';
import type {
  DeploymentDocuments,
  DeploymentProfile,
  MessageFaults,
  Problem,
  ReachedContainer,
  RoleKind,
  RoleMemory,
  RoleStats,
  RoleTimeline,
  ServerReach,
  Span,
  TopoBenchError,
} from '@topo-bench/core';
import type { Host, NetworkPolicyFigures } from '@topo-bench/core/schema/result';
import type { DeploymentPlan, DeploymentRuleChange, Placement } from '@topo-bench/deployment';
import type { GroupUsage, ProcessUsage, Throttling } from '@topo-bench/host';

/** A requirement of a deployment that a machine or cluster lacks. */
export interface RunnerProblem extends Pick<Problem, 'code' | 'message' | 'hint'> {}

/** Resources that roles can use. */
export interface RunnerCapacity {
  cores: number;
  memoryBytes: number;
}

export interface Runner {
  /** Returns the problems that prevent the deployment of this plan; empty when it can be deployed. */
  check(plan: DeploymentPlan): Promise<RunnerProblem[]>;
  /**
   * Returns parts of this plan that the runner does not apply, one sentence each. The plan can be deployed without
   * them.
   */
  notices?(plan: DeploymentPlan): Promise<string[]>;
  /**
   * Returns the capacity of its hosts together; undefined where the user may not read it. Absent: roles run on this
   * machine.
   */
  capacity?(): Promise<RunnerCapacity | undefined>;
  /**
   * Does in advance what all deployments of a run share, such as building an image. The time of a start is measured
   * after it. Called before every start of an experiment; `start` must work without it.
   * @throws TopoBenchError as `start`
   */
  prepare?(plan: DeploymentPlan, signal?: AbortSignal): Promise<void>;
  /**
   * How roles reach database servers on this machine. Absent for processes on it.
   * @throws TopoBenchError when they cannot
   */
  serverReach?(): Promise<ServerReach>;
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
  /** Port of the first gateway. Default: a free one. */
  gatewayPort?: number;
  /** How long to wait for network policies to take effect, where the runner creates them. Default: 2 s. */
  policiesWithinMs?: number;
  /** Database servers in containers, for a runner whose `serverReach` has `containers`: they join its network. */
  servers?: readonly ReachedContainer[];
  /** Prepares Node.js programs for CPU profiles, in a runner that can. Default: no program knows of any. */
  profile?: boolean;
  /** Prepares roles for being killed, started again and stopped, in a runner that has to. Default: not prepared. */
  keepers?: boolean;
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
  /** Use of that service, when topo-bench started it: the role a command, the runner an image. */
  started?: GroupUsage;
  /** Effect of the limit on CPU time of its container. Absent without a limit, or where the host does not report it. */
  throttling?: Throttling;
}

/** A load generator next to the roles. It serves one load after another, and ends with its deployment. */
export interface GeneratorAddress {
  /** For messages, e.g. the name of its pod. */
  name: string;
  /** Id of the host that it runs on. */
  host: string;
  /** Its HTTP address as seen from this process; paths are appended. */
  url: string;
  /** Proves to the generator that the caller started it. */
  token: string;
  /** Headers of every request to it, e.g. the credentials of a proxy on the way. */
  headers?: Readonly<Record<string, string>>;
  /** Opens the connections to it. Default: direct connections. */
  agent?: Agent;
  /** Called when it ends early or cannot be reached. @returns the cause and its last lines of output, if known */
  lastWords?(): Promise<readonly string[]>;
}

/** The network of the roles as a place for load generators. */
export interface InsideNetwork {
  /** URLs of the gateways as seen from there, in the order of the documents. */
  gatewayUrls: readonly string[];
  /**
   * Starts generators until `count` of them run; those of earlier calls are used again.
   * @returns exactly `count`, all of which accept connections
   * @throws TopoBenchError as `Runner.start`
   */
  generators(count: number, signal: AbortSignal | undefined): Promise<readonly GeneratorAddress[]>;
}

/** `restart`: of a role that was killed; it has the address and the documents of before. */
export interface ProcessChange {
  kind: 'kill' | 'restart' | 'freeze' | 'thaw';
  /** Name of the role. */
  role: string;
}

/** Replaces the faults of the messages of a role. One that is down or frozen has them when it is back. */
export interface MessageChange {
  kind: 'messages';
  role: string;
  faults: MessageFaults;
}

export type RoleChange = ProcessChange | MessageChange;

/** CPU profiles of the Node.js programs of a deployment. */
export interface Profiler {
  /** Resolves when the programs take samples. */
  start(): Promise<void>;
  /** @returns the profiles since the start */
  stop(): Promise<DeploymentProfile>;
}

export interface Deployment {
  /** URL of the first gateway, as seen from this process. */
  gatewayUrl: string;
  /** Load is generated there; absent where it comes from this machine. */
  inside?: InsideNetwork;
  /** In the order of the documents. */
  roles: readonly DeployedRole[];
  /** The machines that the roles run on. */
  hosts: readonly Host[];
  /** Present if the deployment was started for profiles. */
  profiler?: Profiler;
  /** Effect of network policies at the start. Absent without policies, and without a service behind another role. */
  networkPolicies?: NetworkPolicyFigures;
  /**
   * CPU time and memory of every role, in the order of `roles`, as counted by its host. The roles do no work for it.
   */
  usage(options?: UsageOptions): Promise<RoleUsage[]>;
  /**
   * CPU time in µs of all roles on this host that do not descend from this process. It separates foreign load on the
   * host of the load generator from the load of the roles. Rejects when one of them has ended, whose time is lost.
   */
  detachedCpuUs(): Promise<number>;
  /**
   * Memory of every role, in the order of `roles`. Each role reads its own, so the figure has the same meaning for
   * every runner. Rejects with `TB_ROLE_NO_ANSWER`.
   */
  memory(): Promise<RoleMemory[]>;
  /** Counters of every role since the last reset, in the order of `roles`. Rejects with `TB_ROLE_NO_ANSWER`. */
  stats(): Promise<RoleStats[]>;
  /**
   * What every role recorded over time since the last reset, in the order of `roles`, on the clock of this host.
   * Rejects with `TB_ROLE_NO_ANSWER`.
   */
  timelines(): Promise<RoleTimeline[]>;
  /** Zeroes the counters of every role. Rejects with `TB_ROLE_NO_ANSWER`. */
  reset(): Promise<void>;
  /**
   * Traced spans of all roles since the last call, on the clock of this host; the roles then drop them. Rejects with
   * `TB_ROLE_NO_ANSWER`.
   */
  spans(): Promise<Span[]>;
  /**
   * Changes one role, and resolves when the change has taken effect. A role that was killed answers no questions until
   * its restart has taken effect, and has no figures in the answers; its end is no death.
   * @throws TopoBenchError `TB_EVENT_UNSUPPORTED` for a runner without such changes, and as `Runner.start`
   */
  apply(change: RoleChange, signal: AbortSignal): Promise<void>;
  /**
   * Replaces the rules of all enforcement points.
   * @returns resolves when every one of them uses the new rules for all later decisions. Rejects when one refuses them
   *   or does not answer; points may then have different rules.
   */
  changeRules(change: DeploymentRuleChange, signal: AbortSignal): Promise<void>;
  /** Calls back once for every role that ends before `stop`, also when it already has (`TB_ROLE_DIED`). */
  onDeath(callback: (error: TopoBenchError, role: DeployedRole) => void): void;
  /** Ends every role and waits until all have ended. May be called again. */
  stop(): Promise<void>;
}

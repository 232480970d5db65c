/**
 * Configuration of one process of a deployment. `packages/deployment` writes it from graph, plan and rules, a runner
 * transfers it, and `packages/services` reads it. It contains no secret. All roles share the graph as a document.
 */
import type { EnforcementRole } from './architectures.ts';
import type { DeploymentGraph } from './deployment-graph.ts';
import type { GuardedItems, RolePersistence } from './persistence.ts';
import type { RoleSecrets } from './role-secrets.ts';
import type { RuleSet } from './rule-set.ts';
import type { ArrowService } from './schema/arrow.ts';
import type { Engine, Framework, Style } from './schema/topology.ts';
import type { UserService } from './schema/user-service.ts';

export type RoleKind = 'gateway' | 'service' | EnforcementRole;

/** Chosen by the runner. Port 0 takes a free one. */
export interface ListenAddress {
  host: string;
  port: number;
  /** Port of the control routes alone, so that a network policy can tell them from data. Default: `port`. */
  controlPort?: number;
  /** Port of Arrow Flight. Default: 0. */
  flightPort?: number;
  /** In a container: clients reach it through a port on the loopback interface of the host, and by no public name. */
  published?: 'loopback';
}

export interface PeerAddress {
  /** Absent until the runner has the address. */
  url?: string;
  /** Address of its control routes, if different from `url`. */
  controlUrl?: string;
  /** Index into `DeploymentGraph.nodes`. */
  node: number;
  maxConnections: number;
  /** Present when calls reach a user-supplied server, which may close idle connections without notice. */
  userSupplied?: true;
}

export interface RoleConfig {
  name: string;
  kind: RoleKind;
  listen: ListenAddress;
  framework: Framework;
  style: Style;
  engine: Engine;
  /** Present for a service that keeps data. */
  persistence?: RolePersistence;
  /** Enforcement points only: the items that clients read and write through it. */
  items?: GuardedItems[];
  /** Peers that it sends to, by name. */
  peers: Record<string, PeerAddress>;
  /** Index into `DeploymentGraph.nodes`. */
  node: number;
  /** Services (indexes) whose steps this role decides; for a service its own index. */
  responsibleFor: number[];
  /** Services (indexes) of another enforcement point, whose steps this one decides while that point is down. */
  takesOver?: number[];
  /**
   * Rules of the targets that it is responsible for or takes over, except rules that static target facts exclude. Empty
   * for services and gateway.
   */
  rules: RuleSet;
  /**
   * Number of these rules in the deployment, for a role that starts after a change; at the gateway that of its stamp.
   * Default: 0.
   */
  rulesVersion?: number;
  /** At a gateway that starts after a change: the ids of all rules by index, of each later version. */
  changedRuleIds?: [version: number, ruleIds: string[]][];
  /** Every decision of a request uses the version with which the gateway stamped it. Absent: the version at hand. */
  consistency?: 'versioned';
  /** A step that cannot be decided passes. Absent: it is refused. */
  failOpen?: true;
  /** Messages to a role that cannot be reached are sent again. `budget`: as a share of the messages of this role. */
  retries?: { count: number; afterUs: number; budget: number };
  /** After so many unanswered messages in a row, no message is sent to that peer for a time. */
  breaker?: { failures: number; openUs: number };
  /** An enforcement point fetches changed rules from the gateway. Absent: the control side sends them. */
  fetchRules?: { from: string; everyUs?: number };
  /** Seed of service-time draws. A draw depends on (seed, request id, service) alone. */
  seed: number;
  deadlines: { hopUs: number; requestUs: number };
  /**
   * The user-supplied service that this role starts and monitors. Peers call it directly. The role carries its flow
   * only without enforcement.
   */
  userService?: UserService;
  /** Present for a service that serves columns. */
  arrow?: RoleArrow;
  /** Share of requests whose hops are traced, 0…1; a function of the request id, the same in every role. */
  traceShare: number;
  /** Gateway: max requests held open at once. Beyond: 503. */
  inFlightCap: number;
}

/** The columns of a service, and the rules that apply to them. Without rules nothing is enforced. */
export interface RoleArrow {
  table: ArrowService;
  rules?: RuleSet;
  /** The rules of queries over Flight SQL: their target is the store, with its own region. */
  store?: { region: string; rules: RuleSet };
}

/** All documents that the roles of a deployment read before they start. Plain data, sent as JSON. */
export interface DeploymentDocuments {
  graph: DeploymentGraph;
  /** In the order of the plan, the gateway first. */
  roles: readonly RoleDocuments[];
}

/** The two documents of one role. */
export interface RoleDocuments {
  config: RoleConfig;
  secrets: RoleSecrets;
}

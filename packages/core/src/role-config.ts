/**
 * What configures one process of a deployment. Written by `packages/deployment` (from graph, plan and rules), carried
 * by a runner, read by `packages/services`. It contains no secret; the graph is a document that all roles share.
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

export interface RoleConfig {
  name: string;
  kind: RoleKind;
  /** Chosen by the runner. Port 0 takes a free one, also for Arrow Flight (default: 0). */
  listen: { host: string; port: number; flightPort?: number };
  framework: Framework;
  style: Style;
  engine: Engine;
  /** Present for a service that keeps data. */
  persistence?: RolePersistence;
  /** Enforcement points only: the items that are read and written through it. */
  items?: GuardedItems[];
  /** Roles it sends to, by name. `url` is absent until the runner knows it. */
  peers: Record<string, { url?: string; node: number }>;
  /** Index into `DeploymentGraph.nodes`. */
  node: number;
  /** Services (indexes) whose steps this role decides; for a service its own index. */
  responsibleFor: number[];
  /**
   * Rules of the targets that it is responsible for (those that target facts do not make false). Empty for services and
   * gateway.
   */
  rules: RuleSet;
  /** Seed of service-time draws: a draw is a function of (seed, request id, service) alone. */
  seed: number;
  deadlines: { hopUs: number; requestUs: number };
  /**
   * The user-supplied service that this role starts and watches. Peers call it directly; only without enforcement does
   * the role carry its flow.
   */
  userService?: UserService;
  /** Present for a service that serves columns. */
  arrow?: RoleArrow;
  /** Share of requests whose hops are traced, 0…1; a function of the request id, the same in every role. */
  traceShare: number;
  /** Gateway: max requests held open at once. Beyond: 503. */
  inFlightCap: number;
}

/** The columns of a service, and the rules that hold for them; without rules nothing is enforced. */
export interface RoleArrow {
  table: ArrowService;
  rules?: RuleSet;
}

/** Everything that the roles of a deployment read before they start. Plain data: it travels as JSON. */
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

/**
 * What one process of a deployment is told: the only input of the service entry file. Written by the
 * experiment (from graph, deployment plan and rules), carried by a runner, read by `packages/services`.
 *
 * On the local runner the entry file reads it as the first line of standard input (so that tokens touch neither
 * disk nor command line), answers one `RoleReady` line on standard output once it listens, gets `PeerUrls` as the
 * second line, answers `{"ready":true}`, and ends when standard input ends. In containers it comes from the
 * file that `--config` names, with the peers' URLs filled in.
 */
import type { GuardedItems, RolePersistence } from './persistence.ts';
import type { RuleSet } from './rule-set.ts';
import type { ArrowService } from './schema/arrow.ts';
import type { Engine, Framework, Style, Work } from './schema/topology.ts';
import type { UserService } from './schema/user-service.ts';

/** The keys of a run with which payloads are redacted and their delivery is checked; roles and oracle have the same ones. */
export interface DeliveryKeys {
  /** Key of the pseudonyms. */
  pseudonymKey: string;
  /** Key of the digests of delivered data (`delivered-digest.ts`). */
  digestKey: string;
}

/** Name that clients log in with over Flight where they have no login but the run's token, as its password. */
export const clientUser = 'client';

export type RoleKind = 'gateway' | 'service' | 'central-entity' | 'router' | 'sidecar';

export interface RoleConfig extends DeliveryKeys {
  name: string;
  kind: RoleKind;
  /** `127.0.0.1` unless the user says otherwise; port 0 takes a free one. */
  listen: { host: string; port: number };
  framework: Framework;
  style: Style;
  engine: Engine;
  /** What callers of the data routes must present (`x-topo-token`). */
  token: string;
  /** What clients of items and columns must present (`x-topo-token`); the same in all roles of a run. */
  clientToken: string;
  /** What callers of the control routes must present. */
  controlToken: string;
  /** Of a service that keeps data. */
  persistence?: RolePersistence;
  /** Of an enforcement point: the items that are read and written through it. */
  items?: GuardedItems[];
  /** Roles it sends to, by name. `url` is absent until the runner knows it. */
  peers: Record<string, { url?: string; token: string; node: number }>;
  graph: RoleGraph;
  /** Index into `graph.nodes`. */
  node: number;
  /** Services (indexes) whose steps this role decides; for a service its own index. */
  responsibleFor: number[];
  /** Rules of the targets that it is responsible for (those that target facts do not make false). Empty for services and gateway. */
  rules: RuleSet;
  /** Seed of service-time draws: a draw is a function of (seed, request id, service) alone. */
  seed: number;
  deadlines: { hopUs: number; requestUs: number };
  /**
   * The user's own service that this role starts and watches beside it. Peers call it themselves; only without enforcement does the role carry its
   * flow.
   */
  userService?: UserService;
  /** Of a service that serves columns. */
  arrow?: RoleArrow;
  /** Share of requests whose hops are traced, 0…1; a function of the request id, the same in every role. */
  traceShare: number;
  /** Gateway: most requests held open at once. Beyond: 503. */
  inFlightCap: number;
}

/** The columns of a service, and the rules that hold for them; without rules nothing is enforced. */
export interface RoleArrow {
  table: ArrowService;
  rules?: RuleSet;
}

/** The part of the graph that a role needs, as plain data. */
export interface RoleGraph {
  nodes: { name: string; region: string }[];
  services: {
    name: string;
    node: number;
    tags: string[];
    work: Work;
    responseBytes: number;
    alternative: boolean;
    /** Name of the role that executes its steps. */
    executor: string;
    /** The user's own service: it is posted the payload at this path. */
    userPath?: string;
  }[];
  flow: {
    start: number;
    instructions: ({ kind: 'step'; service: number; next: number } | { kind: 'fork'; branches: number[]; next: number })[];
  };
  links: ({ delayUs: number; jitterUs: number } | null)[][];
  /** Ids of all rules of the run by index: decisions travel as indexes. */
  ruleIds: string[];
}

/** First line a role prints: it listens. */
export interface RoleReady {
  name: string;
  /** Where its callers send data. */
  url: string;
  /** Where its control routes are, when that is elsewhere: beside a service of the user's. */
  controlUrl?: string;
  /** Where it serves columns over Arrow Flight: `grpc+tcp://…` or `grpc+tls://…`. */
  flightUrl?: string;
}

/** What it prints instead when what it starts beside it does not get ready; the role ends after it. */
export interface RoleFailed {
  failed: { code: 'TB_ROLE_NOT_READY' | 'TB_ROLE_PORT_TAKEN' | 'TB_ROLE_DIED'; message: string; hint?: string };
}

/** Second line a role reads: where its peers are. */
export interface PeerUrls {
  peers: Record<string, string>;
}

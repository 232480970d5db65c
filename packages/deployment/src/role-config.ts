/** The configuration of a role: its address and peers, and the rules of the services that it is responsible for. */
import { type GuardedItems, isEnforced, type RoleConfig } from '@topo-bench/core';
import { partitionRules } from '@topo-bench/rule-engine';
import { type Graph, gatewayName, storeFacts, targetFacts } from '@topo-bench/topology';
import { type DeploymentPlan, type RolePlan, ruledBy } from './deployment-plan.ts';
import { calledPeer, inFlightCap, maxConnections } from './hop-policy.ts';
import type { Placement } from './placement.ts';
import { rulesOfPoint } from './rules-of-point.ts';

export interface RoleConfigOptions {
  graph: Graph;
  plan: DeploymentPlan;
  /** Seed of service times and jitter. */
  seed: number;
  place: Placement;
  /** Share of requests to trace, 0…1. Default: 0. */
  traceShare?: number;
  /** Default: by style. */
  inFlightCap?: number;
}

export function roleConfig(role: RolePlan, options: RoleConfigOptions): RoleConfig {
  const { graph, seed, place, traceShare = 0 } = options;
  const { style, engine } = graph.enforcement;
  return {
    name: role.name,
    kind: role.kind,
    listen: place.listen(role),
    framework: graph.framework,
    style,
    engine,
    ...persistenceOf(role, graph),
    ...itemsOf(role, graph),
    peers: peersOf(role, options),
    node: role.node,
    responsibleFor: [...role.responsibleFor],
    ...(role.takesOver && { takesOver: [...role.takesOver] }),
    rules: rulesFor(role, graph),
    seed,
    deadlines: { ...graph.deadlines },
    traceShare,
    inFlightCap: inFlightCap(options.inFlightCap, graph),
    ...changesOf(role, graph),
    ...resilienceOf(graph),
    ...arrowOf(role, graph),
    ...userServiceOf(role, options),
  };
}

function peersOf(role: RolePlan, options: RoleConfigOptions): RoleConfig['peers'] {
  const { place, graph } = options;
  const cap = inFlightCap(options.inFlightCap, graph);
  const policy = { ...options, ...itemsOf(role, graph) };
  // The role of a user-supplied service calls it. It learns the address when the service has started.
  const own = userServiceOf(role, options).userService ? [role] : [];
  const peers = [...peerPlans(role, options), ...own].map((peer, _, { length }) => {
    const url = peer === role ? undefined : (userServiceUrl(peer, options) ?? place.urlOf(peer, role));
    const controlUrl = peer === role ? undefined : place.controlUrlOf?.(peer);
    const addresses = { ...(url !== undefined && { url }), ...(controlUrl !== undefined && { controlUrl }) };
    const { holdsLong, userSupplied } = calledPeer(role, peer, policy);
    const hop = { maxConnections: maxConnections(holdsLong, cap, length), ...(userSupplied && { userSupplied }) };
    return [peer.name, { ...addresses, node: peer.node, ...hop }] as const;
  });
  return Object.fromEntries(peers);
}

/** An enforcement point calls a user-supplied service directly. Without enforcement, peers call its role. */
function userServiceUrl(peer: RolePlan, { place, plan }: RoleConfigOptions): string | undefined {
  const [index = -1] = peer.responsibleFor;
  if (plan.executorOf[index] === peer.name) return undefined;
  if (peer.userImage) return place.userImageUrlOf?.(peer);
  return peer.userUrl === undefined ? undefined : place.storeUrl(peer.userUrl);
}

function peerPlans(role: RolePlan, { plan, graph }: RoleConfigOptions): RolePlan[] {
  if (role.kind !== 'gateway') {
    const positions = positionsOf(plan);
    const names = fetchesRules(role.kind, graph) ? new Set([...role.peers, gatewayName]) : role.peers;
    const peers = [...names].flatMap((name) => positions.get(name) ?? []);
    return peers.sort((one, other) => one - other).map((position) => plan.roles[position] as RolePlan);
  }
  // The gateway needs all roles to find the last one that saw a lost flow. A user-supplied service behind an
  // enforcement point records no requests, and gets no control token.
  const isForeign = ({ kind, responsibleFor: [index = -1], name }: RolePlan): boolean =>
    kind === 'service' && graph.services[index]?.user !== undefined && plan.executorOf[index] !== name;
  return plan.roles.filter((other) => other.kind !== 'gateway' && !isForeign(other));
}

const knownPositions = new WeakMap<DeploymentPlan, ReadonlyMap<string, number>>();

/** Position of each role in the plan, by name. Found once: every role of a plan looks up its peers. */
function positionsOf(plan: DeploymentPlan): ReadonlyMap<string, number> {
  const known = knownPositions.get(plan) ?? new Map(plan.roles.map(({ name }, index) => [name, index] as const));
  knownPositions.set(plan, known);
  return known;
}

/** Gateway and services have none. */
function rulesFor(role: RolePlan, graph: Graph): RoleConfig['rules'] {
  if (role.kind === 'gateway' || role.kind === 'service') return { default: 'deny', conditions: {}, rules: [] };
  return rulesOfPoint(ruledBy(role), graph);
}

/** How changed rules reach the role, and which of them decide. Absent where the defaults do. */
function changesOf({ kind }: RolePlan, graph: Graph): Pick<RoleConfig, 'consistency' | 'fetchRules' | 'failOpen'> {
  const { consistency, distribution, failOpen } = graph.enforcement;
  if (kind === 'service') return {};
  const everyUs = typeof distribution === 'object' ? { everyUs: distribution.poll } : {};
  return {
    ...(consistency === 'versioned' && { consistency }),
    ...(failOpen && { failOpen }),
    ...(fetchesRules(kind, graph) && { fetchRules: { from: gatewayName, ...everyUs } }),
  };
}

function resilienceOf({ enforcement: { resilience } }: Graph): Pick<RoleConfig, 'retries' | 'breaker'> {
  if (!resilience) return {};
  const { retries: count, backoff: afterUs, retryBudget: budget, breaker } = resilience;
  return {
    ...(count > 0 && { retries: { count, afterUs, budget } }),
    ...(breaker && breaker.failures > 0 && { breaker: { failures: breaker.failures, openUs: breaker.openFor } }),
  };
}

function fetchesRules(kind: RolePlan['kind'], { enforcement }: Graph): boolean {
  return enforcement.distribution !== 'push' && kind !== 'gateway' && kind !== 'service';
}

function persistenceOf(
  { kind, responsibleFor: [index = -1] }: RolePlan,
  { services }: Graph,
): Pick<RoleConfig, 'persistence'> {
  const persistence = kind === 'service' ? services[index]?.persistence : undefined;
  if (!persistence) return {};
  const { store: configuration, pool: poolSize, queue: queueLimit, wait, timeout, categories } = persistence;
  const store = { configuration, poolSize, queueLimit, waitMs: wait / 1000, timeoutMs: timeout / 1000 };
  return { persistence: { store, categories: { ...categories } } };
}

/**
 * An enforcement point decides on reads and writes of the items of its services. A store is a target in its own region.
 */
function itemsOf({ kind, responsibleFor }: RolePlan, graph: Graph): Pick<RoleConfig, 'items'> {
  if (kind === 'gateway' || kind === 'service') return {};
  const items = responsibleFor.flatMap((index): GuardedItems[] => {
    const { persistence } = graph.services[index] as Graph['services'][number];
    if (!persistence) return [];
    const target = storeFacts(graph, index);
    const { region } = target;
    const { categories, wait, timeout } = persistence;
    const rules = partitionRules(graph.rules, [target]);
    return [{ service: index, region, categories: { ...categories }, rules, timeoutMs: (wait + timeout) / 1000 }];
  });
  return items.length === 0 ? {} : { items };
}

/** The service itself decides on its stream, as the target of every row, and on queries, with its store as target. */
function arrowOf({ kind, responsibleFor: [index = -1] }: RolePlan, graph: Graph): Pick<RoleConfig, 'arrow'> {
  const table = kind === 'service' ? graph.services[index]?.arrow : undefined;
  if (!table) return {};
  if (!isEnforced(graph.enforcement.architecture)) return { arrow: { table } };
  const rules = partitionRules(graph.rules, [targetFacts(graph, index)]);
  if (!table.flight?.sql) return { arrow: { table, rules } };
  const target = storeFacts(graph, index);
  return { arrow: { table, rules, store: { region: target.region, rules: partitionRules(graph.rules, [target]) } } };
}

/**
 * The role of a user-supplied service monitors it, and starts a command. The runner starts an image: its role has no
 * use for the variables of the container, which may be secret.
 */
function userServiceOf(role: RolePlan, { graph, place }: RoleConfigOptions): Pick<RoleConfig, 'userService'> {
  const { kind, userImage, responsibleFor } = role;
  if (userImage) {
    const origin = place.userImageUrlOf?.(role);
    return { userService: { ...userImage, env: {}, ...(origin !== undefined && { origin }) } };
  }
  const user = kind === 'service' ? graph.services[responsibleFor[0] ?? -1]?.user : undefined;
  if (user?.kind === 'url') return { userService: { ...user, origin: place.storeUrl(user.origin) } };
  return user ? { userService: user } : {};
}

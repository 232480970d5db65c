/** From a planned deployment to what each of its processes is told: rules by responsibility, tokens by who may call whom. */
import { createHmac } from 'node:crypto';
import { TopoBenchError } from '@topo-bench/core/errors';
import type { GuardedItems } from '@topo-bench/core/persistence';
import type { DeliveryKeys, RoleConfig } from '@topo-bench/core/role-config';
import { partitionRules } from '@topo-bench/rule-engine/partition-rules';
import type { Graph } from '@topo-bench/topology/graph';
import { targetFacts } from '@topo-bench/topology/target-facts';
import type { DeploymentPlan, RolePlan } from './deployment-plan.ts';
import { toRoleGraph } from './role-graph.ts';

export interface RoleConfigOptions {
  graph: Graph;
  plan: DeploymentPlan;
  /** Of service times and jitter. */
  seed: number;
  /** Random per run: tokens and the keys of pseudonyms and digests are derived from it. */
  secret: string;
  /** Default: `127.0.0.1`, any free port. */
  listen?: (role: RolePlan) => RoleConfig['listen'];
  /** Address of a role for its peers, where it is known before anything runs (containers). */
  urlOf?: (role: RolePlan) => string;
  /** Connection strings of the prepared stores, by service; those that keep data need one. */
  storeUrls?: Readonly<Record<string, string>>;
  /** Share of requests to trace, 0…1. Default: 0. */
  traceShare?: number;
  /** Default: 8000 in forward style, 4000 in nested style, which holds a connection per hop. */
  inFlightCap?: number;
}

/** One configuration per role, in the order of the plan. Plain data: it travels as JSON. */
export function roleConfigs(options: RoleConfigOptions): RoleConfig[] {
  const { graph, plan, seed, secret, listen = anyPort, urlOf, traceShare = 0 } = options;
  const { style, engine } = graph.enforcement;
  const inFlightCap = options.inFlightCap ?? (style === 'nested' ? 4000 : 8000);
  const roleGraph = toRoleGraph(graph, plan);
  const roles = new Map(plan.roles.map((role) => [role.name, role]));
  const tokenOf = (name: string): string => derive(secret, 'token', name);
  return plan.roles.map((role) => ({
    name: role.name,
    kind: role.kind,
    listen: listen(role),
    framework: graph.framework,
    style,
    engine,
    token: tokenOf(role.name),
    clientToken: derive(secret, 'client'),
    controlToken: derive(secret, 'control'),
    ...deliveryKeys(secret),
    ...persistenceOf(role, options, plan.executorOf.includes(role.name) ? derive(secret, 'client') : tokenOf(role.name)),
    ...itemsOf(role, graph),
    peers: Object.fromEntries(
      knownTo(role, options).map(({ name, node }) => {
        // The gateway knows all roles, to ask where a lost flow was seen; it may send data only to those it plans to.
        const token = role.peers.includes(name) ? tokenOf(name) : '';
        return [name, { ...(urlOf ? { url: urlOf(roles.get(name) as RolePlan) } : {}), token, node }];
      }),
    ),
    graph: roleGraph,
    node: role.node,
    responsibleFor: [...role.responsibleFor],
    rules: rulesFor(role, graph),
    seed,
    deadlines: { ...graph.deadlines },
    traceShare,
    inFlightCap,
    ...arrowOf(role, graph),
    ...userServiceOf(role, graph),
  }));
}

/** The service decides its stream itself, as the target of every row. */
function arrowOf({ kind, responsibleFor: [index = -1] }: RolePlan, graph: Graph): Pick<RoleConfig, 'arrow'> {
  const table = kind === 'service' ? graph.services[index]?.arrow : undefined;
  if (!table) return {};
  if (graph.enforcement.architecture === 'none') return { arrow: { table } };
  return { arrow: { table, rules: partitionRules(graph.rules, [targetFacts(graph, index)]) } };
}

function anyPort(): RoleConfig['listen'] {
  return { host: '127.0.0.1', port: 0 };
}

function knownTo(role: RolePlan, { plan, graph }: Pick<RoleConfigOptions, 'plan' | 'graph'>): RolePlan[] {
  if (role.kind === 'gateway') {
    // A service of the user's behind an enforcement point remembers no requests, and learns no token of ours.
    const isForeign = ({ kind, responsibleFor: [index = -1], name }: RolePlan): boolean =>
      kind === 'service' && graph.services[index]?.user !== undefined && plan.executorOf[index] !== name;
    return plan.roles.filter((other) => other.name !== role.name && !isForeign(other));
  }
  return plan.roles.filter(({ name }) => role.peers.includes(name));
}

/** The role of a service of the user's is told what to start beside it. */
function userServiceOf({ kind, responsibleFor: [index = -1] }: RolePlan, graph: Graph): Pick<RoleConfig, 'userService'> {
  const user = kind === 'service' ? graph.services[index]?.user : undefined;
  return user ? { userService: user } : {};
}

/** @param token of whoever may call its items */
function persistenceOf(
  { kind, name, responsibleFor: [index = -1] }: RolePlan,
  { graph, storeUrls = {} }: RoleConfigOptions,
  token: string,
): Pick<RoleConfig, 'persistence'> {
  const service = graph.services[index];
  const persistence = kind === 'service' ? service?.persistence : undefined;
  if (!service || !persistence) return {};
  const url = storeUrls[service.name];
  if (url === undefined) throw new TopoBenchError('TB_INTERNAL', `no store has been prepared for the service ${name}`);
  const { store: configuration, pool: poolSize, queue: queueLimit, wait, timeout, categories } = persistence;
  const store = { configuration, url, poolSize, queueLimit, waitMs: wait / 1000, timeoutMs: timeout / 1000 };
  return { persistence: { store, token, categories: { ...categories } } };
}

/** An enforcement point decides what is read and written of the items of its services. A store is a target in its own region. */
function itemsOf({ kind, responsibleFor }: RolePlan, graph: Graph): Pick<RoleConfig, 'items'> {
  if (kind === 'gateway' || kind === 'service') return {};
  const items = responsibleFor.flatMap((index): GuardedItems[] => {
    const { persistence } = graph.services[index] as Graph['services'][number];
    if (!persistence) return [];
    const target = targetFacts(graph, index);
    const { region = target.region, categories, wait, timeout } = persistence;
    const rules = partitionRules(graph.rules, [{ ...target, region }]);
    return [{ service: index, region, categories: { ...categories }, rules, timeoutMs: (wait + timeout) / 1000 }];
  });
  return items.length === 0 ? {} : { items };
}

/** Routers and sidecars hold the rules of their targets, the central entity all, gateway and services none. */
function rulesFor(role: RolePlan, graph: Graph): RoleConfig['rules'] {
  if (role.kind === 'gateway' || role.kind === 'service') return { default: 'deny', conditions: {}, rules: [] };
  if (role.kind === 'central-entity') return graph.rules;
  const targets = role.responsibleFor.map((service) => targetFacts(graph, service));
  return partitionRules(graph.rules, targets);
}

export function deliveryKeys(secret: string): DeliveryKeys {
  return { pseudonymKey: derive(secret, 'pseudonyms'), digestKey: derive(secret, 'digests') };
}

function derive(secret: string, ...purpose: string[]): string {
  return createHmac('sha256', secret).update(purpose.join('/')).digest('base64url');
}

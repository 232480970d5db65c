/** Small graphs written as tests need them: a flow of names, services on nodes, rules in short form. */
import type { GatewayRequest } from '@topo-bench/core';
import type { ExpandedRule, RuleSet } from '@topo-bench/core/rule-set';
import type { Condition, Effect } from '@topo-bench/core/schema/rules';
import type { Architecture } from '@topo-bench/core/schema/topology';
import {
  centralEntityName,
  type DeploymentPlan,
  type FlowInstruction,
  flowEnd,
  type Graph,
  sidecarName,
} from '@topo-bench/topology';

export type Flow = (string | Flow)[];

export interface GraphOptions {
  flow: Flow;
  /** Node of each service by name (`eu`, `us`), with its tags; default `eu`. */
  nodes?: Record<string, string>;
  tags?: Record<string, string[]>;
  alternatives?: string[];
  rules?: Partial<RuleSet>;
  architecture?: Architecture;
}

const nodeNames = ['eu', 'us', 'in'];

export function graphOf({ flow, nodes = {}, tags = {}, alternatives = [], rules = {}, architecture }: GraphOptions): Graph {
  const names = [...namesIn(flow), ...alternatives];
  const instructions: FlowInstruction[] = [];
  const series = (items: Flow): number =>
    items.reduceRight<number>((next, item) => {
      if (typeof item === 'string') return instructions.push({ kind: 'step', service: names.indexOf(item), next }) - 1;
      const branches = item.map((branch) => series(typeof branch === 'string' ? [branch] : branch));
      return instructions.push({ kind: 'fork', branches, next }) - 1;
    }, flowEnd);
  const start = series(flow);
  return {
    name: 'test',
    nodes: nodeNames.map((name, index) => ({ index, name, region: name.toUpperCase() })),
    services: names.map((name, index) => ({
      index,
      name,
      node: nodeNames.indexOf(nodes[name] ?? 'eu'),
      work: { law: 'constant', meanUs: 0, kind: 'cpu' },
      responseBytes: 0,
      tags: tags[name] ?? [],
      alternative: alternatives.includes(name),
    })),
    gatewayNode: 0,
    flow: { start, instructions },
    links: [],
    requestClasses: [],
    rules: { default: 'allow', conditions: {}, rules: [], ...rules },
    framework: 'node',
    placement: 'blocks',
    enforcement: { architecture: architecture ?? 'sidecar', routers: 1, engine: 'compiled', style: 'forward' },
    deadlines: { hopUs: 5e6, requestUs: 30e6 },
  };
}

function namesIn(flow: Flow): string[] {
  return flow.flatMap((item) => (typeof item === 'string' ? [item] : namesIn(item)));
}

/** One executor per service beside it (`sidecar`), or one for all on the gateway's node (`central-entity`). */
export function planOf(graph: Graph, architecture: 'sidecar' | 'central-entity'): DeploymentPlan {
  const gateway = { name: 'gateway', kind: 'gateway', node: graph.gatewayNode, responsibleFor: [], peers: [] } as const;
  if (architecture === 'central-entity') {
    const responsibleFor = graph.services.map(({ index }) => index);
    const central = {
      name: centralEntityName,
      kind: 'central-entity',
      node: graph.gatewayNode,
      responsibleFor,
      peers: [],
    } as const;
    return { roles: [gateway, central], executorOf: graph.services.map(() => centralEntityName) };
  }
  const sidecars = graph.services.map(
    ({ name, node, index }) => ({ name: sidecarName(name), kind: 'sidecar', node, responsibleFor: [index], peers: [] }) as const,
  );
  return { roles: [gateway, ...sidecars], executorOf: graph.services.map(({ name }) => sidecarName(name)) };
}

export interface ShortRule {
  id: string;
  when: Condition;
  effect: Effect;
  priority?: number;
  remove?: string[];
  pseudonymise?: string[];
  to?: string;
}

export function ruleList(...rules: ShortRule[]): ExpandedRule[] {
  return rules.map((rule, index) => ({ index, priority: 1, remove: [], pseudonymise: [], to: undefined, ...rule }));
}

export const always: Condition = { all: [] };

/** Holds at that service. */
export const at = (service: string): Condition => ({ fact: 'target', path: '$.service', operator: 'equal', value: service });

export function requestOf(changes: Partial<GatewayRequest> = {}): GatewayRequest {
  return {
    id: 'r1-000000',
    class: 'order',
    origin: 'EU',
    categories: ['personal', 'payment'],
    consents: ['marketing'],
    purpose: 'contract',
    payload: { email: 'ann@example.org', card: '4111', note: 'x' },
    fieldCategories: { email: 'personal', card: 'payment' },
    ...changes,
  };
}

/** Steps in short: `orders allow`, `scoring deny by no-us`. */
export function inShort(steps: readonly { service: string; effect: Effect; rule?: string }[]): string[] {
  return steps.map(({ service, effect, rule }) => `${service} ${effect}${rule === undefined ? '' : ` by ${rule}`}`);
}

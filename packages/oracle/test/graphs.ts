/** Small graphs written as tests need them: a flow of names, services on nodes, rules in short form. */
import type { Architecture, GatewayRequest } from '@topo-bench/core';
import type { Condition, Effect, Rule, RulesFile } from '@topo-bench/core/schema/rules';
import { topologyFile } from '@topo-bench/core/schema/topology';
import type { OracleGraph } from '../src/read-services.ts';

export type Flow = (string | Flow)[];

export interface GraphOptions {
  flow: Flow;
  /** Node of each service by name (`eu`, `us`), with its tags; default `eu`. */
  nodes?: Record<string, string>;
  tags?: Record<string, string[]>;
  alternatives?: string[];
  rules?: Partial<Pick<RulesFile, 'default' | 'conditions' | 'rules'>>;
  architecture?: Architecture;
  routers?: number;
}

const nodeNames = ['eu', 'us', 'in'];

/** The documents as their schemas have them, and nodes for the services: no code of the topology package. */
export function graphOf({
  flow,
  nodes = {},
  tags = {},
  alternatives = [],
  rules = {},
  architecture,
  routers,
}: GraphOptions): OracleGraph {
  const names = [...namesIn(flow), ...alternatives];
  const topology = topologyFile.parse({
    apiVersion: 'topo-bench/v1',
    kind: 'Topology',
    name: 'test',
    nodes: nodeNames.map((name) => ({ name, region: name.toUpperCase() })),
    services: names.map((name) => ({
      name,
      tags: tags[name] ?? [],
      role: alternatives.includes(name) ? 'alternative' : 'service',
    })),
    flow,
    enforcement: { architecture: architecture ?? 'sidecar', routers: routers ?? 1 },
  });
  const services = names.map((name) => ({ name, node: nodeNames.indexOf(nodes[name] ?? 'eu') }));
  return {
    source: { topology, rules: { default: 'allow', conditions: {}, rules: [], ...rules } as unknown as RulesFile },
    services: services as unknown as OracleGraph['services'],
  };
}

function namesIn(flow: Flow): string[] {
  return flow.flatMap((item) => (typeof item === 'string' ? [item] : namesIn(item)));
}

export interface ShortRule {
  id: string;
  when: Condition;
  effect: Effect;
  priority?: number;
  remove?: string[];
  pseudonymise?: string[];
  to?: string;
  forEach?: 'services';
}

export function ruleList(...rules: ShortRule[]): Rule[] {
  return rules.map(({ remove = [], pseudonymise = [], ...rule }) => ({
    priority: 1,
    ...rule,
    redact: { remove, pseudonymise },
  }));
}

export const always: Condition = { all: [] };

/** Holds at that service. */
export const at = (service: string): Condition => ({
  fact: 'target',
  path: '$.service',
  operator: 'equal',
  value: service,
});

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

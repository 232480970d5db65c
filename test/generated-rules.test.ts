/**
 * Rules that a topology generates: both engines and the oracle decide alike, the stated share of them matches every
 * request, and no decision depends on them.
 */
import type { Facts } from '@topo-bench/core';
import type { RulesInput } from '@topo-bench/core/schema/rules';
import { engines, type TopologyInput } from '@topo-bench/core/schema/topology';
import { rightDecision, rulesOf } from '@topo-bench/oracle';
import { createRuleEngine } from '@topo-bench/rule-engine';
import { type Graph, graphOf, targetFacts } from '@topo-bench/topology';
import { requestGenerator } from '@topo-bench/workload';
import { describe, expect, it } from 'vitest';

const topology: TopologyInput = {
  apiVersion: 'topo-bench/v1',
  kind: 'Topology',
  name: 'generated',
  defaults: { rules: { generate: 10, match: '30%' } },
  services: [
    { generate: 3 },
    { name: 'own', rules: { generate: 4, match: '50%' } },
    { name: 'bare', rules: { generate: 0 } },
  ],
};

const deny: RulesInput = {
  apiVersion: 'topo-bench/v1',
  kind: 'Rules',
  name: 'closed',
  default: 'deny',
  rules: [
    { id: 'open', effect: 'allow', when: { fact: 'target', path: '$.service', operator: 'equal', value: 'own' } },
  ],
};

/** Facts of seeded requests at every service. */
function factsOf(graph: Graph): Facts[] {
  const request = requestGenerator({ classes: graph.requestClasses, seed: 3, repetition: 1 });
  return Array.from({ length: 20 }, (_, at) => request(at)).flatMap((one) =>
    graph.services.map((_, index) => ({
      request: { ...one, categories: ['personal'], class: one.class },
      target: targetFacts(graph, index),
      flow: { services: [], regions: [] },
    })),
  ) as unknown as Facts[];
}

async function decisionsOf(graph: Graph) {
  const targets = graph.services.map((_, index) => targetFacts(graph, index));
  const deciders = await Promise.all(engines.map((engine) => createRuleEngine(engine, graph.rules, targets)));
  return Promise.all(
    factsOf(graph).map(async (facts) => {
      const right = rightDecision(rulesOf(graph), facts);
      for (const engine of deciders) expect(await engine.decide(facts)).toEqual(right);
      return { service: facts.target.service, ...right };
    }),
  );
}

describe('generated rules', () => {
  it('match in the stated share at every service, and allow, by both engines and the oracle', async () => {
    const decisions = await decisionsOf(graphOf(topology));
    expect(decisions).toHaveLength(100);
    const matched = new Map(decisions.map(({ service, rules }) => [service, rules.length]));
    expect(Object.fromEntries(matched)).toEqual({ 'svc-1': 3, 'svc-2': 3, 'svc-3': 3, own: 2, bare: 0 });
    expect(new Set(decisions.map(({ effect }) => effect))).toEqual(new Set(['allow']));
  });

  it('are as many as the factor sets, and leave the rules of the file as they are', async () => {
    const counts = [0, 5, 10].map(
      (rules) => graphOf(topology, undefined, { factors: { rulesPerService: rules } }).rules.rules.length,
    );
    expect(counts).toEqual([4, 4 + 3 * 5, 4 + 3 * 10]);
    const closed = await decisionsOf(graphOf(topology, deny));
    const allowed = closed.filter(({ effect }) => effect === 'allow');
    expect(new Set(allowed.map(({ service }) => service))).toEqual(new Set(['own']));
    const others = closed.filter(({ service }) => service !== 'own');
    expect(new Set(others.map(({ effect }) => effect))).toEqual(new Set(['deny']));
  });

  it('are the same for the same seed, and others for another', () => {
    const rulesOfSeed = (seed: number) =>
      JSON.stringify(graphOf({ ...topology, defaults: { rules: { generate: 10, seed } } }).rules);
    expect(rulesOfSeed(1)).toBe(rulesOfSeed(1));
    expect(rulesOfSeed(2)).not.toBe(rulesOfSeed(1));
  });
});

describe('factors of a topology under a short name', () => {
  const linked: TopologyInput = {
    ...topology,
    nodes: [
      { name: 'a', region: 'eu' },
      { name: 'b', region: 'us' },
    ],
    links: [{ from: 'eu', to: 'us', delay: '5ms' }],
    requests: {
      classes: [{ name: 'order', origin: 'eu', payload: { customer: { category: 'personal', size: '8B' } } }],
    },
  };

  it('set the delay of all links, the size of all payload fields, and the number of routers', () => {
    const factors = { delay: '40ms', payload: '4KiB', routers: 2, architecture: 'dynamic-router' };
    const graph = graphOf(linked, undefined, { factors });
    expect(graph.links[0]?.[1]).toEqual({ delayUs: 40_000, jitterUs: 0 });
    expect(graph.requestClasses[0]?.payload.customer?.size).toBe(4096);
    expect(graph.enforcement).toMatchObject({ architecture: 'dynamic-router', routers: 2 });
  });

  it('fail where the topology has nothing that they set', () => {
    expect(() => graphOf(topology, undefined, { factors: { delay: '40ms' } })).toThrow(
      'delay: the topology has no links',
    );
    expect(() => graphOf(topology, undefined, { factors: { payload: '1KiB' } })).toThrow(
      'payload: the topology has no payload fields',
    );
  });
});

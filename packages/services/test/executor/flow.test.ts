import { architectures, type GatewayRequest, hash32 } from '@topo-bench/core';
import { deliveredDigests } from '@topo-bench/core/delivered-digest';
import { styles } from '@topo-bench/core/schema/topology';
import { planDeployment, plannedHops } from '@topo-bench/deployment';
import { createOracle } from '@topo-bench/oracle';
import { afterEach, describe, expect, it } from 'vitest';
import {
  anyRequest,
  deploy,
  type RuleParts,
  type TestDeployment,
  type TopologyParts,
  testGraph,
} from '../fixtures/deployment.ts';

let open: TestDeployment[] = [];
afterEach(async () => {
  await Promise.all(open.map((deployment) => deployment.close()));
  open = [];
});
async function started(topology: TopologyParts, rules?: RuleParts): Promise<TestDeployment> {
  const deployment = await deploy(testGraph(topology, rules));
  open.push(deployment);
  return deployment;
}

const two = [
  { name: 'a', region: 'eu' },
  { name: 'b', region: 'us' },
];

describe('a chain of four on two nodes', () => {
  // a: gateway, svc-1, svc-2 · b: svc-3, svc-4.
  // Every framework in both styles. Hops of all architectures are counted in memory.
  const cases = [
    ['none', 'forward', 'fastify', 5, 2],
    ['central-entity', 'nested', 'fastify', 5, 2],
    ['dynamic-router', 'forward', 'express', 9, 2],
    ['sidecar', 'nested', 'express', 8, 1],
    ['sidecar', 'forward', 'node', 9, 2],
    ['none', 'nested', 'node', 4, 1],
  ] as const;
  it.each(cases)(
    'takes as many hops as planned: %s, %s, %s',
    async (architecture, style, framework, all, betweenNodes) => {
      const enforcement = { architecture, style, routers: 4 };
      const deployment = await started({ nodes: two, framework, services: [{ generate: 4 }], enforcement });
      const { status, body, rttHeader } = await deployment.send({ id: 'one' });
      const steps = architecture === 'none' ? [] : [1, 2, 3, 4].map((i) => ({ service: `svc-${i}`, effect: 'allow' }));
      expect(body).toEqual({
        id: 'one',
        outcome: 'completed',
        rttUs: Number(rttHeader),
        steps,
        delivered: {
          services: [1, 2, 3, 4].map((i) => ({ service: `svc-${i}`, copy: 0 })),
          copies: [deliveredDigests(anyRequest.payload, deployment.configs[0]?.secrets.digestKey ?? '')],
        },
        hops: all,
        hopsBetweenNodes: betweenNodes,
        exposureBytes: {},
      });
      expect(status).toBe(200);
      expect(body.rttUs).toBeGreaterThan(0);
    },
  );

  it('with two routers hands over once', async () => {
    const enforcement = { architecture: 'dynamic-router' as const, routers: 2 };
    const { send } = await started({ nodes: two, services: [{ generate: 4 }], enforcement });
    const { body } = await send();
    // gateway → r1, four calls, r1 → r2, r2 → gateway
    expect([body.hops, body.hopsBetweenNodes]).toEqual([7, 2]);
  });
});

describe('any flow', () => {
  // Flows with every shape that can be written: groups at the start, at the end, alone, nested.
  const flows: TopologyParts['flow'][] = [
    'chain',
    [['s1', 's2'], 's3', ['s4', 's5', 's6']],
    ['s1', [['s2', 's3'], 's4', [['s5', ['s6', 's7']]]]],
    [['s1', ['s2', ['s3', 's4'], 's5']], 's6'],
    [['s1', 's2', 's3', 's4', 's5', 's6', 's7']],
  ];
  const names = ['s1', 's2', 's3', 's4', 's5', 's6', 's7'];
  const rules: RuleParts = {
    rules: [
      {
        id: 'health-off-us',
        when: { all: [fact('target', '$.region', 'us'), contains('$.categories', 'health')] },
        effect: 'deny',
      },
      {
        id: 'payment',
        when: { all: [contains('$.categories', 'payment'), fact('target', '$.service', 's4')] },
        effect: 'reroute',
        to: 'certified',
      },
      {
        id: 'payment-again',
        when: { all: [contains('$.consents', 'odd'), fact('target', '$.service', 'certified')] },
        effect: 'reroute',
        to: 'other',
      },
      {
        id: 'tagged',
        forEach: 'services',
        when: fact('target', '$.tags[0]', 'analytics'),
        effect: 'redact',
        redact: { remove: ['/note'], pseudonymise: ['/customer/name'] },
      },
      { id: 'no-name', when: fact('target', '$.service', 's4'), effect: 'redact', redact: { remove: ['/customer'] } },
      {
        id: 'after-s2',
        when: {
          all: [
            { fact: 'flow', path: '$.services', operator: 'contains', value: 's2' },
            contains('$.consents', 'none-left'),
          ],
        },
        effect: 'deny',
      },
    ],
  };

  it.each(
    architectures.flatMap((architecture, a) =>
      styles.map((style, s) => {
        const index = (2 * a + s) % flows.length;
        return [architecture, style, index, flows[index]] as const;
      }),
    ),
  )('agrees with the oracle and takes the planned hops: %s, %s, flow %i', async (architecture, style, index, flow) => {
    const used = JSON.stringify(flow);
    const services = names.filter((name) => flow === 'chain' || used.includes(name));
    const deployment = await started(
      {
        nodes: [...two, { name: 'c', region: 'us' }],
        placement: index % 2 ? 'blocks' : 'round-robin',
        services: [
          ...services.map((name, i) => ({ name, tags: i % 3 === 1 ? ['analytics'] : [] })),
          { name: 'certified', role: 'alternative', node: 'b' },
          { name: 'other', role: 'alternative', node: 'a' },
        ],
        flow: flow ?? 'chain',
        enforcement: { architecture, style, routers: 3, engine: index === 0 ? 'json-rules-engine' : 'compiled' },
      },
      rules,
    );
    const { graph } = deployment;
    const plan = planDeployment(graph);
    const oracle = createOracle(graph, deployment.configs[0]?.secrets);
    const requests = Array.from({ length: 12 }, (_, i) => requestNumber(i));
    const answers = await Promise.all(requests.map((request) => deployment.send(request)));
    answers.forEach(({ status, body }, i) => {
      const request = requests[i] as GatewayRequest;
      const expected = oracle.expectedFlow(request);
      const steps = expected.steps.map(({ after: _, ...step }) => step);
      expect(body).toMatchObject({ id: request.id, outcome: expected.outcome, steps });
      expect(oracle.checkRequest(request, body)).toEqual({ wrong: 0, reasons: [] });
      expect(body.delivered.services.length).toBeGreaterThan(0);
      expect(body.exposureBytes).toEqual(expected.exposureBytes);
      expect(status).toBe(expected.outcome === 'refused' ? 451 : 200);
      expect([body.rule, body.service]).toEqual([expected.refusal?.rule, expected.refusal?.service]);
    });
    const straight = answers.filter(
      ({ body: { outcome, steps } }) => outcome === 'completed' && steps.every(({ effect }) => effect !== 'reroute'),
    );
    expect(straight.length).toBeGreaterThan(0);
    const { perRequest, betweenNodes } = plannedHops(graph, plan);
    expect(straight.map(({ body }) => [body.hops, body.hopsBetweenNodes])).toEqual(
      straight.map(() => [perRequest, betweenNodes]),
    );
    for (const { name } of deployment.configs) {
      const stats = await deployment.stats(name);
      expect([name, stats.inFlight, stats.queued, stats.ignoredReports]).toEqual([name, 0, 0, 0]);
    }
    expect((await deployment.stats('gateway')).served).toBe(requests.length);
  });
});

function fact(name: 'target', path: string, value: string) {
  return { fact: name, path, operator: 'equal', value };
}
function contains(path: string, value: string) {
  return { fact: 'request' as const, path, operator: 'contains', value };
}

/** Requests that meet every rule in some combination. */
function requestNumber(i: number): GatewayRequest {
  const bit = (k: number): boolean => ((hash32(`request ${i}`) >> k) & 1) === 1;
  const fieldCategories = {
    customer: 'personal',
    ...(bit(0) && bit(5) && { note: 'health' }),
    ...(bit(1) && { card: 'payment' }),
  };
  return {
    ...anyRequest,
    id: `request-${i}`,
    // Those of its fields count, listed or not.
    categories: bit(6) ? Object.values(fieldCategories) : ['personal'],
    consents: [...(bit(2) ? ['odd'] : []), ...(bit(3) && bit(4) ? ['none-left'] : [])],
    payload: { customer: { name: 'Ada', town: 'Zürich' }, note: 'on the ward', card: '4000 1234' },
    fieldCategories,
  };
}

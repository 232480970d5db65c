/**
 * Random topologies and rules as users write them, under every architecture, in both styles and with both engines. The
 * flow is performed in memory, by servers, and by processes that a runner starts. The oracle, which reads the same
 * documents by itself, checks all of them: steps, outcomes, what services received, exposure.
 */
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { architectures, type GatewayRequest, type GatewayResponse } from '@topo-bench/core';
import { engines, spreads, styles, type TopologyInput } from '@topo-bench/core/schema/topology';
import { deploymentDocuments, planDeployment, plannedHops } from '@topo-bench/deployment';
import { createOracle, type Oracle } from '@topo-bench/oracle';
import { type Configure, createRunner, inParallel } from '@topo-bench/runners';
import { type Graph, gatewayFor, graphOf, replicasOf } from '@topo-bench/topology';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { memoryOf } from '../packages/flow/test/fixtures/memory.ts';
import { deploy, send } from '../packages/services/test/fixtures/deployment.ts';
import { changedService } from './fixtures/changed-service.ts';
import { documentsArbitrary, requestArbitrary, smallDocumentsArbitrary } from './fixtures/random-documents.ts';
import { temporaryFolder } from './fixtures/small-files.ts';

/** The share of the series that `npm test` has. */
const share = process.env.LONG_SERIES ? 1 : 0.4;

const enforcementOf = {
  architecture: fc.constantFrom(...architectures),
  style: fc.constantFrom(...styles),
  engine: fc.constantFrom(...engines),
  spread: fc.constantFrom(...spreads),
};
const enforcementArbitrary = fc.record({
  ...enforcementOf,
  routers: fc.integer({ min: 1, max: 5 }),
  replicas: fc.integer({ min: 1, max: 3 }),
});

/** How often each thing was seen: a property that meets none of a kind shows nothing about it. */
class Seen {
  private readonly counts = new Map<string, number>();

  add(...what: string[]): void {
    for (const each of what) this.counts.set(each, (this.counts.get(each) ?? 0) + 1);
  }

  expectEach(what: readonly string[], min: number): void {
    for (const each of what) expect(this.counts.get(each) ?? 0, each).toBeGreaterThanOrEqual(min);
  }
}

function describeAnswer(seen: Seen, graph: Graph, { outcome, steps, exposureBytes }: GatewayResponse): void {
  const { architecture, style, engine, spread } = graph.enforcement;
  seen.add(architecture, style, engine, outcome);
  if (graph.gateways.length > 1) seen.add('gateways');
  const isFork = graph.flow.instructions.some(({ kind }) => kind === 'fork');
  if (replicasOf(graph.enforcement) > 1) seen.add(spread, ...(isFork ? [`${spread} in groups`] : []));
  if (isFork) seen.add('group');
  if (steps.some(({ rule = '' }) => rule.includes('@'))) seen.add('per service');
  if (Object.keys(exposureBytes).length > 0) seen.add('exposed');
  seen.add(...new Set(steps.map(({ effect }) => effect)));
}

function expectRight(oracle: Oracle, graph: Graph, request: GatewayRequest, answer: GatewayResponse): void {
  expect(oracle.checkRequest(request, { ...answer, rule: answer.rule ?? null })).toEqual({ wrong: 0, reasons: [] });
  const expected = oracle.expectedFlow(request);
  expect(answer.outcome).toBe(expected.outcome);
  expect(answer.steps).toEqual(expected.steps.map(({ after: _, ...step }) => step));
  expect(answer.exposureBytes).toEqual(expected.exposureBytes);
  const straight = answer.outcome === 'completed' && answer.steps.every(({ effect }) => effect !== 'reroute');
  if (!straight) return;
  const { name } = gatewayFor(graph.gateways, request.origin);
  const { perRequest, betweenNodes } = plannedHops(graph, planDeployment(graph), name);
  expect([answer.hops, answer.hopsBetweenNodes]).toEqual([perRequest, betweenNodes]);
}

/** All but the time that it took. */
function withoutTimes({ rttUs: _, ...answer }: GatewayResponse): Omit<GatewayResponse, 'rttUs'> {
  return answer;
}

describe('the flow', () => {
  it('does in memory what the oracle expects: random topologies', async () => {
    const seen = new Seen();
    const requests = fc.array(requestArbitrary, { minLength: 2, maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(
        documentsArbitrary,
        enforcementArbitrary,
        requests,
        async ({ topology, rules }, enforcement, sent) => {
          const graph = graphOf({ ...topology, enforcement }, rules);
          const memory = await memoryOf(graph);
          const oracle = createOracle(graph, memory.keys);
          for (const request of sent) {
            const answer = await memory.send(request);
            expectRight(oracle, graph, request, answer);
            describeAnswer(seen, graph, answer);
          }
          expect(memory.openForks()).toBe(0);
          seen.add(...memory.performed.keys());
        },
      ),
      { numRuns: 1000 * share, seed: 20_261_124 },
    );
    seen.expectEach(
      [...architectures, ...styles, ...engines, ...spreads, 'gateways', 'completed', 'refused', 'group'],
      200 * share,
    );
    seen.expectEach(
      spreads.map((spread) => `${spread} in groups`),
      60 * share,
    );
    seen.expectEach(['allow', 'deny', 'redact', 'reroute', 'per service', 'exposed'], 100 * share);
    seen.expectEach(
      ['acknowledge', 'decide', 'call', 'work', 'forward', 'report', 'answer', 'answer-work', 'respond', 'cancel'],
      100 * share,
    );
  });

  it('does over HTTP what it does in memory: random topologies', async () => {
    const seen = new Seen();
    const requests = fc.array(requestArbitrary, { minLength: 10, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(
        documentsArbitrary,
        enforcementArbitrary,
        requests,
        async ({ topology, rules }, enforcement, sent) => {
          const deployment = await deploy(graphOf({ ...topology, enforcement }, rules));
          try {
            await expectSame(deployment.graph, deployment.urls, sent, seen);
          } finally {
            await deployment.close();
          }
        },
      ),
      { numRuns: 60 * share, seed: 20_261_126, endOnFailure: true },
    );
    seen.expectEach([...architectures, ...styles, 'completed', 'refused'], 60 * share);
  });
});

/**
 * Compares servers with the flow in memory and with the oracle.
 * @param urls of the gateways, by name
 * @param sent of which each gets an id of its own
 */
async function expectSame(
  graph: Graph,
  urls: Readonly<Record<string, string>>,
  sent: readonly GatewayRequest[],
  seen: Seen,
): Promise<void> {
  // The secret of `deploy` and of the processes below: digests and pseudonyms are then the same.
  const memory = await memoryOf(graph, { secret });
  const oracle = createOracle(graph, memory.keys);
  const requests = sent.map((request, i) => ({ ...request, id: `request-${i}` }));
  const answers = await Promise.all(
    requests.map((request) => send(urls[gatewayFor(graph.gateways, request.origin).name] as string, request)),
  );
  for (const [i, { status, body }] of answers.entries()) {
    const request = requests[i] as GatewayRequest;
    expectRight(oracle, graph, request, body);
    expect(withoutTimes(body)).toEqual(withoutTimes(await memory.send(request)));
    expect(status).toBe(body.outcome === 'refused' ? 451 : 200);
    describeAnswer(seen, graph, body);
  }
}

const secret = 'secret of a test';

/** Nested groups, and rules of every effect: some ask for facts that not every request has. */
const topology: TopologyInput = {
  ...{ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 'processes' },
  nodes: [
    { name: 'eu-1', region: 'eu' },
    { name: 'us-1', region: 'us' },
  ],
  services: [
    ...['s1', 's2', 's3', 's4', 's5'].map((name, i) => ({ name, node: i % 2 ? 'us-1' : 'eu-1' })),
    { name: 'x', node: 'us-1', role: 'alternative' },
  ],
  flow: ['s1', ['s2', ['s3', 's4']], 's5'],
  gateways: 'per region',
};
const at = (service: string) => ({ fact: 'target' as const, path: '$.service', operator: 'equal', value: service });
const bought = (sku: string) => ({
  fact: 'request' as const,
  path: '$.payload.items[0].sku',
  operator: 'equal',
  value: sku,
});
const rules = {
  ...{ apiVersion: 'topo-bench/v1' as const, kind: 'Rules' as const, name: 'processes' },
  rules: [
    { id: 'away', effect: 'reroute' as const, to: 'x', when: { all: [at('s3'), bought('a')] } },
    { id: 'no-card', effect: 'redact' as const, redact: { remove: ['/card'] }, when: { any: [at('s3'), at('s2')] } },
    { id: 'no-name', effect: 'redact' as const, redact: { pseudonymise: ['/customer/name'] }, when: at('x') },
    { id: 'refused', effect: 'deny' as const, when: { all: [at('s4'), bought('b')] } },
    {
      id: 'consent',
      effect: 'deny' as const,
      when: { all: [at('s5'), { ...bought('c'), path: '$.payload.items[1].sku' }] },
    },
  ],
};

describe('processes', () => {
  const folder = temporaryFolder();
  let serviceEntry: string;
  beforeAll(async () => {
    serviceEntry = await changedService(folder, []);
  });
  const seen = new Seen();
  const requests = fc.sample(requestArbitrary, { numRuns: 12, seed: 20_261_127 });

  async function expectSameOfProcesses(
    graph: Graph,
    sent: readonly GatewayRequest[],
    seen: Seen,
    logsDir: string,
  ): Promise<void> {
    const runner = await createRunner('local', { serviceEntry });
    const plan = planDeployment(graph);
    const documents: Configure = (place) => deploymentDocuments({ graph, plan, seed: 1, secret, place });
    const deployment = await runner.start(plan, documents, { logsDir });
    try {
      const urls = Object.fromEntries(deployment.roles.map(({ name, url }) => [name, url]));
      await expectSame(graph, urls, sent, seen);
    } finally {
      await deployment.stop();
    }
  }

  const product = architectures.flatMap((architecture) => styles.map((style) => [architecture, style] as const));
  // `npm test` has each architecture once, and each style of two of them.
  const cases = product.filter((_, i) => share === 1 || i % 4 === 0 || i % 4 === 3);
  it.each(cases)(
    'do what the flow does in memory, and what the oracle expects: %s, %s',
    async (architecture, style) => {
      const graph = graphOf({ ...topology, enforcement: { architecture, style, routers: 3 } }, rules);
      await expectSameOfProcesses(graph, requests, seen, join(folder, `${architecture}-${style}`));
    },
  );

  it('met every effect and both outcomes', () => {
    seen.expectEach(['completed', 'refused', 'allow', 'deny', 'redact', 'reroute', 'exposed'], 6 * share);
  });

  it('agree with the flow in memory and with the oracle: generated topologies', { timeout: 600_000 }, async () => {
    const generated = fc.record({
      documents: smallDocumentsArbitrary,
      enforcement: fc.record({
        ...enforcementOf,
        routers: fc.integer({ min: 1, max: 2 }),
        replicas: fc.integer({ min: 1, max: 2 }),
      }),
      sent: fc.array(requestArbitrary, { minLength: 4, maxLength: 4 }),
    });
    const drawn = fc.sample(generated, { numRuns: 50 * share, seed: 20_261_128 });
    expect(new Set(drawn.map(({ documents }) => JSON.stringify(documents.topology))).size).toBe(drawn.length);
    const seenHere = new Seen();
    await inParallel(drawn, 3, async ({ documents, enforcement, sent }) => {
      // Processes of plain node:http start fastest; those above have the default framework.
      const topology = { ...documents.topology, framework: 'node' as const, enforcement };
      const graph = graphOf(topology, documents.rules);
      const logsDir = await mkdtemp(join(folder, 'generated-'));
      try {
        await expectSameOfProcesses(graph, sent, seenHere, logsDir);
      } catch (cause) {
        throw new Error(`with ${JSON.stringify({ ...documents, enforcement, sent })}`, { cause });
      }
    });
    seenHere.expectEach([...architectures, ...styles, ...engines, 'completed', 'refused', 'group'], 20 * share);
    seenHere.expectEach(['allow', 'deny', 'redact', 'reroute', 'per service', 'exposed'], share < 1 ? 1 : 3);
  });
});

/** Traces against the live machines in memory: random topologies, all architectures, both styles. */
import { architectures, type GatewayRequest, type GatewayResponse } from '@topo-bench/core';
import { keyedHashing } from '@topo-bench/core/keyed-hashing';
import { engines, spreads, styles } from '@topo-bench/core/schema/topology';
import { planDeployment } from '@topo-bench/deployment';
import { type Graph, graphOf } from '@topo-bench/topology';
import { requestGenerator } from '@topo-bench/workload';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentsArbitrary, requestArbitrary } from '../../../test/fixtures/random-documents.ts';
import { memoryOf } from '../../flow/test/fixtures/memory.ts';
import { SimulatedDeployment } from '../src/index.ts';
import type { Traces } from '../src/traces/traces.ts';

async function tracesOf(graph: Graph): Promise<Traces> {
  return (await SimulatedDeployment.of(graph, planDeployment(graph), { seed: 1 })).traces;
}

function withoutTimes({ rttUs: _, ...answer }: GatewayResponse): Omit<GatewayResponse, 'rttUs'> {
  return answer;
}

const enforcementArbitrary = fc.record({
  architecture: fc.constantFrom(...architectures),
  style: fc.constantFrom(...styles),
  engine: fc.constantFrom(...engines),
  routers: fc.integer({ min: 1, max: 5 }),
  replicas: fc.integer({ min: 1, max: 3 }),
  spread: fc.constantFrom(...spreads),
});

describe('a trace', () => {
  it('has the steps, outcome, hops, exposure and deliveries of the live flow: 100 topologies', async () => {
    const seen = new Map<string, number>();
    const add = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);
    const requests = fc.array(requestArbitrary, { minLength: 3, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        documentsArbitrary,
        enforcementArbitrary,
        requests,
        async ({ topology, rules }, enforcement, sent) => {
          const graph = graphOf({ ...topology, enforcement }, rules);
          const [traces, memory] = [await tracesOf(graph), await memoryOf(graph)];
          for (const [i, request] of sent.entries()) {
            const named = { ...request, id: `request-${i}` };
            const { response: answer } = traces.answerTo(traces.traceOf(named), named, keyedHashing(memory.keys));
            expect(withoutTimes(answer)).toEqual(withoutTimes(await memory.send(named)));
            for (const { effect } of answer.steps) add(effect);
            add(answer.outcome);
            add(enforcement.architecture);
            add(enforcement.style);
          }
          if (graph.flow.instructions.some(({ kind }) => kind === 'fork')) add('fork');
        },
      ),
      { numRuns: 100, seed: 20_261_127 },
    );
    const expected = [
      ...architectures,
      ...styles,
      'allow',
      'deny',
      'redact',
      'reroute',
      'completed',
      'refused',
      'fork',
    ];
    for (const what of expected) expect(seen.get(what) ?? 0, what).toBeGreaterThan(12);
  });
});

describe('demand of replicas', () => {
  const spreadBy = (spread: 'round-robin' | 'sticky'): Graph =>
    graphOf({
      ...{ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 'replicas', services: [{ name: 'a' }, { name: 'b' }] },
      enforcement: { architecture: 'central-entity', replicas: 3, spread },
    });
  const graph = spreadBy('round-robin');
  const plan = planDeployment(graph);
  const requestOf = requestGenerator({ classes: graph.requestClasses, seed: 1, repetition: 1 });
  const named = (id: string) => ({ ...requestOf(0), id });

  it('is equal where callers take turns, whichever requests the sample has', async () => {
    for (const ids of [['x'], ['x', 'y', 'z', 'z2', 'z3']]) {
      const demand = (await tracesOf(graph)).demandOf(ids.map(named));
      const replicas = plan.roles.flatMap(({ kind }, at) => (kind === 'central-entity' ? [at] : []));
      expect(replicas).toHaveLength(3);
      const kinds = demand.operations.length / demand.turns.length;
      for (const values of [demand.turns, demand.served]) {
        const each = replicas.map((at) => values[at] as number);
        expect(each[0]).toBeGreaterThan(0);
        for (const one of each) expect(one).toBeCloseTo(each[0] as number, 12);
      }
      for (const values of [demand.operations, demand.bytes]) {
        const rows = replicas.map((at) => [...values.subarray(at * kinds, (at + 1) * kinds)]);
        expect(rows[0]?.some((value) => value > 0)).toBe(true);
        for (const row of rows) expect(row).toEqual(rows[0]);
      }
      // All messages of the request are still there.
      const served = replicas.reduce((sum, at) => sum + (demand.served[at] as number), 0);
      expect(served).toBeCloseTo(demand.served[0] as number, 12);
    }
  });

  it('needs live machines where callers take turns, however short the load', async () => {
    const isLive = async (spread: 'round-robin' | 'sticky') => {
      const one = spreadBy(spread);
      return (await SimulatedDeployment.of(one, planDeployment(one), { seed: 1 })).mayBeLive(1);
    };
    expect([await isLive('round-robin'), await isLive('sticky')]).toEqual([true, false]);
  });
});

describe('the kind of a request', () => {
  const graph = (path: string, operator: string, value: unknown): Graph =>
    graphOf(
      {
        ...{ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 'kinds', nodes: [{ name: 'a', region: 'eu' }] },
        services: [{ name: 's0' }, { name: 's1' }],
        flow: ['s0', 's1'],
        enforcement: { architecture: 'sidecar' },
        requests: {
          classes: [
            {
              ...{ name: 'order', weight: 1, origin: { eu: 1, us: 1 }, consents: { research: 0.5 } },
              payload: { customer: { category: 'personal', size: '48B' }, note: { category: 'none', size: '9B' } },
            },
          ],
        },
      },
      {
        ...{ apiVersion: 'topo-bench/v1', kind: 'Rules', name: 'kinds' },
        rules: [
          { id: 'hide', effect: 'redact', redact: { pseudonymise: ['/customer'] }, when: { all: [] } },
          {
            id: 'refuse',
            effect: 'deny',
            when: {
              all: [
                { fact: 'target', path: '$.service', operator: 'equal', value: 's1' },
                { fact: 'request', path, operator, value },
              ],
            },
          },
        ],
      },
    );
  const kindsOf = async (path: string, operator = 'equal', value: unknown = 'us') => {
    const ruled = graph(path, operator, value);
    const [traces, memory] = [await tracesOf(ruled), await memoryOf(ruled)];
    const requestOf = requestGenerator({ classes: ruled.requestClasses, seed: 1, repetition: 1 });
    for (let i = 0; i < 60; i++) {
      const request = requestOf(i) as GatewayRequest & { id: string };
      const { response: answer } = traces.answerTo(traces.traceOf(request), request, keyedHashing(memory.keys));
      expect(withoutTimes(answer)).toEqual(withoutTimes(await memory.send(request)));
    }
    return traces.list.length;
  };

  it('is that of its facts, with digests and pseudonyms of its own values', async () => {
    expect(await kindsOf('$.origin')).toBe(4);
  });

  it('is that of the comparisons that are true for its payload', async () => {
    expect(await kindsOf('$.payload.note')).toBe(4);
    const { requestClasses: classes } = graph('$.origin', 'equal', 'us');
    const requestOf = requestGenerator({ classes, seed: 1, repetition: 1 });
    const notes = Array.from({ length: 30 }, (_, i) => requestOf(i).payload.note);
    expect(await kindsOf('$.payload.note', 'in', notes)).toBe(8);
    expect(await kindsOf("$['payload']")).toBe(4);
  });

  it('is its own where a rule compares the payload with its target', async () => {
    expect(await kindsOf('$.payload.note', 'equal', { fact: 'target', path: '$.service' })).toBe(60);
  });
});

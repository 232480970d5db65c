/**
 * Random topologies, rules and requests with takeover on. With one process of an enforcement point down, each request
 * ends as the rules say, each step is decided once, and exposure is that of the point that decided. With all processes
 * of two neighbours down, a request that needs the first of them ends with an error that names the second. In memory
 * and by servers; the oracle reads the documents by itself.
 */
import type { GatewayRequest, GatewayResponse } from '@topo-bench/core';
import { spreads, styles } from '@topo-bench/core/schema/topology';
import { planDeployment } from '@topo-bench/deployment';
import { createOracle, type Oracle } from '@topo-bench/oracle';
import { type Graph, gatewayFor, graphOf } from '@topo-bench/topology';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { memoryOf } from '../packages/flow/test/fixtures/memory.ts';
import { deploy, send } from '../packages/services/test/fixtures/deployment.ts';
import { documentsArbitrary, requestArbitrary } from './fixtures/random-documents.ts';

/** The share of the series that `npm test` has. */
const share = process.env.LONG_SERIES ? 1 : 0.3;

const cases = fc.record({
  documents: documentsArbitrary,
  enforcement: fc.record({
    architecture: fc.constantFrom('dynamic-router' as const, 'dynamic-router' as const, 'central-entity' as const),
    style: fc.constantFrom(...styles),
    routers: fc.integer({ min: 1, max: 5 }),
    replicas: fc.integer({ min: 1, max: 2 }),
    spread: fc.constantFrom(...spreads),
  }),
  sent: fc.array(requestArbitrary, { minLength: 4, maxLength: 4 }),
  down: fc.nat(),
  both: fc.boolean(),
});
type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

/** Undefined where no process could take over. */
function graphWith({ documents, enforcement }: Case): Graph | undefined {
  try {
    const resilience = { takeover: true };
    return graphOf({ ...documents.topology, enforcement: { ...enforcement, resilience } }, documents.rules);
  } catch (error) {
    expect(String(error)).toContain('no process could take over');
    return undefined;
  }
}

interface Down {
  /** Names of the processes. */
  names: readonly string[];
  /** Services whose steps no process decides. */
  services: ReadonlySet<string>;
  /** Processes of which the error of such a step names one. */
  named: readonly string[];
}

function downOf(graph: Graph, { down, both }: Case): Down {
  const plan = planDeployment(graph);
  const processes = plan.roles.filter(({ kind }) => kind === 'router' || kind === 'central-entity');
  const name = processes[down % processes.length]?.name as string;
  if (!both) return { names: [name], services: new Set(), named: [] };
  const points = [...new Set(plan.executorOf)].sort((one, other) => numberOf(one) - numberOf(other));
  const at = down % points.length;
  const [point, next] = [points[at], points[(at + 1) % points.length]] as [string, string];
  const processesOf = (one: string): readonly string[] => plan.replicas?.[one] ?? [one];
  // Two routers take over for each other.
  const lost = points.length <= 2 ? points : [point];
  return {
    names: [...new Set([...processesOf(point), ...processesOf(next)])],
    services: new Set(
      graph.services.filter(({ index }) => lost.includes(plan.executorOf[index] as string)).map((one) => one.name),
    ),
    named: [...processesOf(next), ...(points.length === 2 ? processesOf(point) : [])],
  };
}

function numberOf(router: string): number {
  return Number(/^router-(\d+)$/.exec(router)?.[1] ?? 0);
}

class Seen {
  readonly counts: Record<string, number> = {};

  add(...names: string[]): void {
    for (const name of names) this.counts[name] = (this.counts[name] ?? 0) + 1;
  }
}

/** @returns whether it had to end with an error */
function expectRight(
  oracle: Oracle,
  request: GatewayRequest,
  answer: GatewayResponse,
  down: Down,
  what: string,
): boolean {
  const isLost = oracle.expectedFlow(request).steps.some(({ service }) => down.services.has(service));
  if (isLost)
    expect(
      down.named.map((name) => `unreachable:${name}`),
      what,
    ).toContain(answer.error);
  else expect(answer.error, what).toBeUndefined();
  const { wrong, reasons } = oracle.checkRequest(request, { ...answer, rule: answer.rule ?? null });
  expect({ wrong, reasons }, what).toEqual({ wrong: 0, reasons: [] });
  return isLost;
}

it('in memory: random topologies', async () => {
  const seen = new Seen();
  for (const drawn of fc.sample(cases, { numRuns: 1000 * share, seed: 20_261_128 })) {
    const graph = graphWith(drawn);
    if (!graph) continue;
    const down = downOf(graph, drawn);
    const decided: string[] = [];
    const memory = await memoryOf(graph, {
      down: down.names,
      onEffect: (effect, role) => {
        expect(down.names).not.toContain(role.name);
        if (effect.kind !== 'decide') return;
        const { id, at } = effect.task.run.flow.state;
        decided.push(`${id} ${at} ${effect.service}`);
      },
    });
    const oracle = createOracle(graph, memory.keys);
    for (const [i, request] of drawn.sent.entries()) {
      const own = { ...request, id: `r${i}` };
      const answer = await memory.send(own);
      const isLost = expectRight(oracle, own, answer, down, JSON.stringify({ ...drawn, down: down.names }));
      if (isLost) seen.add('two neighbours down', answer.steps.length > 0 ? 'decided before' : 'decided nowhere');
      const isTaken = answer.steps.some(({ takenOver }) => takenOver);
      seen.add(graph.enforcement.architecture, answer.outcome, isTaken ? 'taken over' : 'own');
      if (isTaken && Object.keys(answer.exposureBytes).length > 0) seen.add('exposed');
      if (isTaken && answer.steps.some(({ effect }) => effect === 'reroute')) seen.add('reroute');
      if (isTaken && graph.flow.instructions.some(({ kind }) => kind === 'fork')) seen.add('group');
      if (isTaken && graph.enforcement.routers > graph.nodes.length) seen.add('more routers than nodes');
    }
    expect(new Set(decided).size).toBe(decided.length);
  }
  for (const kind of [
    'central-entity',
    'completed',
    'refused',
    'taken over',
    'own',
    'group',
    'more routers than nodes',
    'two neighbours down',
    'decided before',
  ])
    expect(seen.counts[kind] ?? 0, kind).toBeGreaterThan(150 * share);
  for (const kind of ['exposed', 'reroute']) expect(seen.counts[kind] ?? 0, kind).toBeGreaterThan(30 * share);
});

it('a step that nothing could take over is wrong', () => {
  const graph = graphOf({
    ...{ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 't', services: [{ name: 'a' }] },
    enforcement: { architecture: 'sidecar' },
  });
  const oracle = createOracle(graph);
  const request = fc.sample(requestArbitrary, { numRuns: 1, seed: 1 })[0] as GatewayRequest;
  const steps = [{ service: 'a', effect: 'allow', takenOver: true }] as const;
  expect(oracle.checkRequest(request, { steps, outcome: 'completed' }).reasons).toEqual([
    'a: decided by another enforcement point, and none takes over',
  ]);
});

it('by servers as in memory', async () => {
  const seen = new Seen();
  for (const drawn of fc.sample(cases, { numRuns: 100 * share, seed: 20_261_129 })) {
    const graph = graphWith(drawn);
    if (!graph) continue;
    const down = downOf(graph, drawn);
    const deployment = await deploy(graph);
    try {
      for (const name of down.names) await deployment.stop(name);
      const memory = await memoryOf(graph, { secret: 'secret of a test', down: down.names });
      const oracle = createOracle(graph, memory.keys);
      for (const [i, request] of drawn.sent.entries()) {
        const own = { ...request, id: `r${i}` };
        const url = deployment.urls[gatewayFor(graph.gateways, request.origin).name] as string;
        const { rttUs: _, message: ofSocket, ...answer } = (await send(url, own)).body;
        const what = JSON.stringify({ ...drawn, down: down.names });
        if (expectRight(oracle, own, { ...answer, rttUs: 0 }, down, what)) seen.add('two neighbours down');
        const { rttUs: __, message, ...inMemory } = await memory.send(own);
        expect(ofSocket !== undefined).toBe(message !== undefined);
        expect(answer).toEqual(inMemory);
        seen.add(answer.outcome, answer.steps.some(({ takenOver }) => takenOver) ? 'taken over' : 'own');
      }
    } finally {
      await deployment.close();
    }
  }
  for (const kind of ['completed', 'refused', 'taken over', 'own', 'two neighbours down'])
    expect(seen.counts[kind] ?? 0, kind).toBeGreaterThan(5);
});

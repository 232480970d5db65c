/**
 * Faults of all roles and changes of rules on the calendar of the simulator: as in the deployment in memory.
 * Topologies, rules, events and requests are those of the soak.
 */
import type { GatewayRequest } from '@topo-bench/core';
import { keyedHashing } from '@topo-bench/core/keyed-hashing';
import type { TopologyInput } from '@topo-bench/core/schema/topology';
import { deliveryKeys } from '@topo-bench/deployment';
import type { MemoryAnswer, TimedRuleChange } from '@topo-bench/flow/memory';
import { createVersionOracle } from '@topo-bench/oracle';
import { requestSample } from '@topo-bench/results';
import { plannedEvents } from '@topo-bench/simulator';
import { type Graph, graphOf } from '@topo-bench/topology';
import { expect, it } from 'vitest';
import { memoryOf } from '../packages/flow/test/fixtures/memory.ts';
import { timedChange } from '../packages/flow/test/fixtures/rule-changes.ts';
import { freeModel, hostWith } from '../packages/simulator/test/fixtures/free-model.ts';
import { replicationsOf } from '../packages/simulator/test/fixtures/replications.ts';
import { type SoakCase, soakCase } from './soak/soak-case.ts';

const keys = deliveryKeys('a test');
const hashing = keyedHashing(keys);
/** Times travel in whole µs, and timers are no shorter than they are. */
const toleranceUs = 60;
const apartUs = 250;
const cases = process.env.LONG_SERIES ? 100 : 40;

/** What the client of one request has, and when it has it. */
interface Seen {
  answer: MemoryAnswer;
  doneUs: number | undefined;
}

interface Played {
  seen: Seen[];
  /** By change: when its last role has confirmed it. */
  confirmedUs: (number | undefined)[];
}

function changesOf(one: SoakCase, graphs: readonly Graph[], confirmedUs: (number | undefined)[]): TimedRuleChange[] {
  return one.changes.map(({ atUs, delaysUs }, i) => {
    let draw = 0;
    const delayUs = (): number => delaysUs[draw++ % delaysUs.length] as number;
    const change = timedChange(graphs[i] as Graph, i + 1, atUs, delayUs);
    const confirmed = (us: number): void => {
      confirmedUs[i] = us;
    };
    return { ...change, confirmed };
  });
}

async function inMemory(one: SoakCase, graph: Graph, changed: readonly Graph[]): Promise<Played> {
  const doneUs = new Map<string, number>();
  const confirmedUs: Played['confirmedUs'] = [];
  const memory = await memoryOf(graph, {
    faults: one.faults,
    onEffect: (effect, _, nowUs) => {
      if (effect.kind === 'respond') doneUs.set(effect.outcome.state.id, nowUs);
    },
  });
  const answers = await memory.sendAll(one.requests, changesOf(one, changed, confirmedUs));
  const seen = answers.map((answer, i) => ({ answer, doneUs: doneUs.get(one.requests[i]?.request.id as string) }));
  return { seen, confirmedUs };
}

async function simulated(one: SoakCase, graph: Graph, changed: readonly Graph[]): Promise<Played> {
  const { deployment } = await replicationsOf(graph, { rateRps: 1, seconds: 1 });
  const confirmedUs: Played['confirmedUs'] = [];
  const changes = changesOf(one, changed, confirmedUs);
  await deployment.prepare(changes);
  const { requests, answerTo, failureOf, isLive } = deployment.replicate({
    ...{ model: freeModel, cluster: hostWith(999, graph.nodes.length), repetition: 1 },
    ...{ scheduleUs: Float64Array.from(one.requests, ({ atUs }) => atUs), durationUs: 10e6, drainUs: 600e6 },
    ...{ requestOf: (i) => one.requests[i]?.request as GatewayRequest & { id: string }, servedBefore: 0 },
    events: plannedEvents({ faults: one.faults, changes }),
  });
  expect(isLive).toBe(true);
  const seen = one.requests.map((_, i): Seen => {
    const answer = failureOf(i) ?? answerTo(i, hashing);
    return { answer: answer as MemoryAnswer, doneUs: failureOf(i) ? undefined : requests.doneUs[i] };
  });
  return { seen, confirmedUs };
}

/** All but times and sentences with times. */
function timeless(answer: MemoryAnswer | undefined): object | string | undefined {
  if (answer === undefined || typeof answer === 'string') return answer;
  const { rttUs: _, message: __, ...response } = answer.response;
  return { status: answer.status, ...response };
}

function verdictsOf({ seen, confirmedUs }: Played, one: SoakCase, graph: Graph, changed: readonly Graph[]) {
  const versions = changed.map((version, i) => {
    return { graph: version, askedUs: one.changes[i]?.atUs as number, confirmedUs: confirmedUs[i] };
  });
  const oracle = createVersionOracle(graph, versions, keys);
  return seen.map(({ answer, doneUs }, row) => {
    const { request, atUs } = one.requests[row] as SoakCase['requests'][number];
    const { status, response } = typeof answer === 'string' ? { status: null, response: undefined } : answer;
    const times = { intendedUs: atUs, sentUs: atUs, doneUs: doneUs ?? null, rttUs: response?.rttUs ?? null };
    const failure = typeof answer === 'string' ? answer : null;
    const sample = requestSample({ ...times, status, failure }, response, request, row);
    const endedUs = doneUs ?? Number.POSITIVE_INFINITY;
    const { torn, stale, reasons, staleSinceAsked } = oracle.checkRequest(request, {
      ...{ ...sample, enteredUs: atUs, endedUs },
    });
    return { torn, reasons, stale: stale.length, sinceAsked: staleSinceAsked.length };
  });
}

/** Requests in the order of their times, without those that come at one moment with others or with an event. */
function apart({ requests, faults, changes }: SoakCase): SoakCase['requests'] {
  const moments = [...changes.map(({ atUs }) => atUs), ...faults.flatMap((fault) => [fault.atUs, endOf(fault)])];
  const taken = new Set(moments.flatMap((us) => [-1, 0, 1].map((by) => Math.floor(us / apartUs) + by)));
  const sorted = [...requests].sort((a, b) => a.atUs - b.atUs);
  return sorted.filter(({ atUs }) => {
    const moment = Math.floor(atUs / apartUs);
    return !taken.has(moment) && taken.add(moment);
  });
}

function endOf(fault: SoakCase['faults'][number]): number {
  return fault.atUs + (fault.kind === 'crash' ? (fault.restartUs ?? 0) : fault.forUs);
}

/** Whether messages of a change may arrive during a freeze. */
function meets({ atUs, forUs }: { atUs: number; forUs: number }): (change: SoakCase['changes'][number]) => boolean {
  return (change) => change.atUs < atUs + forUs && atUs < change.atUs + 3 * Math.max(...change.delaysUs);
}

it('answers, errors, times, versions and stale decisions are those of the deployment in memory', async () => {
  const met = new Map<string, number>();
  const meet = (what: string): unknown => met.set(what, (met.get(what) ?? 0) + 1);
  for (let seed = 1; seed <= cases; seed++) {
    const drawn = soakCase(seed);
    const work = { law: 'exponential', mean: '8ms', kind: 'wait' } as const;
    const links = [{ from: 'eu', to: 'us', delay: '7ms', jitter: '3ms' }];
    const requests = apart(drawn);
    // Messages of one moment have no defined order. A breaker and a budget of retries count them.
    const { resilience: { breaker: _, ...resilience } = {}, ...own } = drawn.topology.enforcement ?? {};
    const topology = {
      ...drawn.topology,
      links,
      defaults: { work },
      enforcement: { ...own, resilience: { ...resilience, retryBudget: '100%' } },
    };
    // A role that was frozen takes all that has waited at one moment: changes and requests have no defined order.
    const faults = drawn.faults.filter((fault) => fault.kind !== 'freeze' || !drawn.changes.some(meets(fault)));
    const one: SoakCase = { ...drawn, faults, requests, topology: topology as TopologyInput };
    const graph = graphOf(one.topology, one.rules);
    const changed = one.changes.map(({ rules }) => graphOf(one.topology, rules));
    const memory = await inMemory(one, graph, changed);
    const played = await simulated(one, graph, changed);
    for (const [i, { answer, doneUs = 0 }] of memory.seen.entries()) {
      const what = `case ${seed}, request ${i}`;
      const found = played.seen[i] as Seen;
      expect(timeless(found.answer), what).toEqual(timeless(answer));
      expect(Math.abs((found.doneUs ?? 0) - doneUs), what).toBeLessThan(toleranceUs);
      meet(typeof answer === 'string' ? answer : (answer.response.error?.split(':')[0] ?? answer.response.outcome));
    }
    expect(played.confirmedUs.length).toBe(one.changes.length);
    for (const [i, us = 0] of memory.confirmedUs.entries())
      expect(Math.abs((played.confirmedUs[i] ?? Number.NaN) - us), `case ${seed}, change ${i}`).toBeLessThan(
        toleranceUs,
      );
    const verdicts = verdictsOf(played, one, graph, changed);
    expect(verdicts, `case ${seed}`).toEqual(verdictsOf(memory, one, graph, changed));
    for (const { torn, reasons, sinceAsked } of verdicts) {
      expect(reasons, `case ${seed}`).toEqual([]);
      if (torn) meet('torn');
      if (sinceAsked > 0) meet('stale since asked');
    }
  }
  const rare = ['connection-reset', 'connection-refused', 'no-rules', 'torn', 'stale since asked', 'unreachable'];
  expect(rare.filter((what) => !met.has(what))).toEqual([]);
}, 300_000);

it.each([
  ['reads the message', 0],
  ['fetches its rules', () => 300_000],
])(
  'a change is confirmed for a role that crashes before it %s, and starts again with the new rules',
  async (_, delayUs) => {
    const services = [{ name: 'a', work: '1ms' }];
    const topology: TopologyInput = {
      ...{ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 't', services },
      enforcement: { architecture: 'sidecar' },
    };
    const rules = { apiVersion: 'topo-bench/v1' as const, kind: 'Rules' as const, name: 'r', rules: [] };
    const graph = graphOf(topology, { ...rules, default: 'allow' });
    const confirmedUs: (number | undefined)[] = [];
    const change = timedChange(graphOf(topology, { ...rules, default: 'deny' }), 1, 100_000, () => 0);
    const stages = change.stages.map((stage) =>
      stage.map((message) => ({ ...message, ...(message.to === 'a-sidecar' && { delayUs }) })),
    );
    const changes = [{ ...change, stages, confirmed: (us: number) => confirmedUs.push(us) }];
    const { deployment } = await replicationsOf(graph, { rateRps: 1, seconds: 1 });
    await deployment.prepare(changes);
    const faults = [{ kind: 'crash' as const, atUs: 122_000, roles: ['a-sidecar'], restartUs: 100_000 }];
    const request = { class: '', origin: '', categories: [], consents: [], purpose: '', payload: {} };
    const { answerTo } = deployment.replicate({
      ...{ model: { ...freeModel, latencyUs: 10_000 }, cluster: hostWith(9, 1), repetition: 1, servedBefore: 0 },
      ...{ scheduleUs: Float64Array.of(0, 300_000), durationUs: 1e6, drainUs: 10e6 },
      ...{ requestOf: (i) => ({ ...request, id: `r${i}` }), events: plannedEvents({ faults, changes }) },
    });
    expect(confirmedUs).toEqual([122_000]);
    const steps = [0, 1].map((i) => answerTo(i, hashing)?.response.steps);
    expect(steps).toEqual([[{ service: 'a', effect: 'allow' }], [{ service: 'a', effect: 'deny', version: 1 }]]);
  },
);

it.each([
  ['the last answer leaves a change unfinished', '1ms', []],
  ['a request that is open waits for it', '2s', [1_900_000]],
])('after the load %s', async (_, work, expected) => {
  const topology: TopologyInput = {
    ...{ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 't' },
    services: [{ name: 'a', work: { mean: work, kind: 'wait' } }],
    enforcement: { architecture: 'sidecar' },
  };
  const graph = graphOf(topology);
  const confirmedUs: number[] = [];
  const change = timedChange(graph, 1, 900_000, () => 500_000);
  const changes = [{ ...change, confirmed: (us: number) => confirmedUs.push(us) }];
  const { deployment } = await replicationsOf(graph, { rateRps: 1, seconds: 1 });
  await deployment.prepare(changes);
  const request = { class: '', origin: '', categories: [], consents: [], purpose: '', payload: {} };
  deployment.replicate({
    ...{ model: freeModel, cluster: hostWith(9, 1), repetition: 1, servedBefore: 0 },
    ...{ scheduleUs: Float64Array.of(0, 500_000), durationUs: 1e6, drainUs: 10e6 },
    ...{ requestOf: (i) => ({ ...request, id: `r${i}` }), events: plannedEvents({ changes }) },
  });
  expect(confirmedUs).toEqual(expected);
});

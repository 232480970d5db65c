/** Single parts of the engine, each with its effect on the times of requests. */
import { hash32 } from '@topo-bench/core';
import type { DemandModel } from '@topo-bench/core/schema/calibration';
import type { TopologyInput } from '@topo-bench/core/schema/topology';
import { graphOf } from '@topo-bench/topology';
import { describe, expect, it } from 'vitest';
import { freeModel, hostWith } from '../fixtures/free-model.ts';
import { type Load, replicationsOf } from '../fixtures/replications.ts';

const free = freeModel.operations;
const one: TopologyInput = {
  ...{ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 'one', nodes: [{ name: 'a', region: 'eu' }] },
  ...{ services: [{ name: 's0', work: '100us' }], flow: ['s0'], enforcement: { architecture: 'none' } },
};

async function replicationOf(
  load: Partial<Load>,
  change: Partial<DemandModel> = {},
  topology: Partial<TopologyInput> = {},
) {
  const model = { ...freeModel, ...change };
  const graph = graphOf({ ...one, ...topology });
  const { replicate } = await replicationsOf(graph, { rateRps: 10, seconds: 2, model, ...load });
  return replicate(1);
}

const every = (gapUs: number, count: number) => Float64Array.from({ length: count }, (_, i) => i * gapUs);
type Requests = Awaited<ReturnType<typeof replicationOf>>['requests'];
const rttsOf = ({ endedUs, openedUs }: Requests): number[] =>
  Array.from(endedUs, (us, i) => Math.round((us - (openedUs[i] as number)) * 1000) / 1000);
const long = { hop: '600s', request: '600s' };
const cost = (us: number, perKilobyteUs = 0) => ({ us, perKilobyteUs });

describe('the engine', () => {
  it('adds up the operations of a chain by hand, with messages and decisions by engine and rules', async () => {
    const operations = {
      accept: cost(1000),
      respond: cost(2000),
      receive: cost(30),
      acknowledge: cost(7),
      send: cost(500),
      read: cost(11),
      answer: cost(13),
      post: cost(100_000),
      collect: cost(200_000),
    };
    const decide = { compiled: { us: 3, perRuleUs: 100 }, 'json-rules-engine': { us: 70, perRuleUs: 1000 } };
    const times = async (architecture: 'none' | 'sidecar', engine: 'compiled' | 'json-rules-engine' = 'compiled') => {
      const { requests } = await replicationOf(
        { scheduleUs: every(1e6, 1) },
        { operations, decide, latencyUs: 10_000 },
        { enforcement: { architecture, engine } },
      );
      return [...rttsOf(requests), requests.sentUs[0], Math.round(requests.doneUs[0] as number)];
    };
    // From the parsed request: the gateway sends; the service receives, acknowledges, works, sends; the gateway parses.
    const none = 500 + 10_000 + 30 + 7 + 100 + 500 + 10_000 + 30;
    const around = 100_000 + 10_000 + 1000 + none + 7 + 2000 + 10_000 + 200_000;
    expect(await times('none')).toEqual([none, 0, around]);
    // The sidecar decides, and calls its service.
    const called = 10_000 + 30 + 100 + 13 + 10_000 + 11;
    const sidecar = 500 + 10_000 + 30 + 7 + 3 + 500 + called + 500 + 10_000 + 30;
    expect((await times('sidecar'))[0]).toBe(sidecar);
    expect((await times('sidecar', 'json-rules-engine'))[0]).toBe(sidecar + 67);
  });

  it('charges bytes of payloads in messages', async () => {
    const note = 'x'.repeat(2000 - '{"note":""}'.length);
    const requestOf = (i: number) => ({
      ...{ id: `r${i}`, class: '', origin: '', categories: [], consents: [], purpose: '', payload: { note } },
    });
    const load = { scheduleUs: every(1e6, 1), requestOf };
    const { requests } = await replicationOf(load, {
      operations: { ...free, send: cost(5, 100), receive: cost(0, 10) },
    });
    // The flow has the payload, the report has none.
    expect(rttsOf(requests)).toEqual([5 + 200 + 20 + 100 + 5]);
  });

  it.each([
    ['round-robin', [3000, 3000, 4000, 4000]],
    ['sticky', [3000, 3000, 4000, 5000]],
  ] as const)('gives requests at one time to replicas, which decide at the same time: %s', async (spread, expected) => {
    const requests = Array.from({ length: 30 }, (_, i) => `r${i}`);
    const [odd, even] = [0, 1].map((part) => requests.filter((id) => hash32(id) % 2 === part));
    const ids = [...(odd as string[]).slice(0, 1), ...(even as string[]).slice(0, 3)];
    const requestOf = (i: number) => ({
      ...{ id: ids[i] as string, class: '', origin: '', categories: [], consents: [], purpose: '', payload: {} },
    });
    const decide = { ...freeModel.decide, compiled: { us: 1000, perRuleUs: 0 } };
    const timesOf = async (replicas: number) => {
      const load = { scheduleUs: new Float64Array(4), requestOf, cluster: hostWith(8, 1) };
      const enforcement = { architecture: 'central-entity', replicas, spread } as const;
      const services = [{ name: 's0', work: { law: 'constant', mean: '2ms', kind: 'wait' } as const }];
      const { requests: table } = await replicationOf(load, { decide }, { enforcement, services });
      return rttsOf(table).sort((one, other) => one - other);
    };
    // The first answer is read after the last decision.
    expect(await timesOf(1)).toEqual([4000, 4000, 5000, 6000]);
    expect(await timesOf(2)).toEqual(expected);
  });

  it('makes processes wait for each other on one core', async () => {
    const operations = { ...free, send: cost(1000) };
    const of = async (cores: number) => {
      const load = { scheduleUs: every(0, 2), cluster: hostWith(cores, 1) };
      return rttsOf((await replicationOf(load, { operations })).requests);
    };
    const [apart, shared] = [await of(4), await of(1)];
    // The gateway sends the first at 1 ms and is busy with the second until 2 ms; the service reports at 2.1 ms.
    expect(apart).toEqual([2100, 2200]);
    // On one core the service begins when the gateway has sent both, and the gateway reads when that is done.
    expect(shared).toEqual([4200, 3200]);
  });

  it('opens no more connections than the limit: further calls wait for a free one', async () => {
    // Acknowledgements of the second service take a second each; the first forwards 130 flows over 64 connections.
    const topology: Partial<TopologyInput> = {
      services: [
        { name: 's0', work: '0us' },
        { name: 's1', work: '0us' },
      ],
      flow: ['s0', 's1'],
      deadlines: { hop: '600s', request: '600s' },
    };
    const load = { scheduleUs: every(0, 130), drainUs: 600e6 };
    const { requests } = await replicationOf(load, { latencyUs: 1e6 }, topology);
    const rtts = rttsOf(requests).map((us) => Math.round(us / 1e6));
    // Three hops; each of two limited pools holds a call for the way there and back.
    expect([rtts[0], rtts[63], rtts[64], rtts[127], rtts[128]]).toEqual([3, 3, 5, 5, 7]);
  });

  it('sends no request beyond the cap in flight, and ends at the horizon with requests open', async () => {
    const work = { mean: '30s', kind: 'wait' } as const;
    const topology: Partial<TopologyInput> = {
      services: [{ name: 's0', work }],
      deadlines: { hop: '90s', request: '90s' },
    };
    const { replicate } = await replicationsOf(graphOf({ ...one, ...topology }), {
      ...{ rateRps: 1, seconds: 2, scheduleUs: every(1000, 5), inFlightCap: 3, drainUs: 1e6, durationUs: 1e6 },
    });
    const { requests, answerTo } = replicate(1);
    expect([...requests.refused]).toEqual([0, 0, 0, 1, 1]);
    expect([requests.inFlightMax, requests.open]).toEqual([3, 3]);
    expect([...requests.doneUs].every(Number.isNaN)).toBe(true);
    expect(answerTo(0, { digests: () => ({}), pseudonym: String })).toBeUndefined();
  });

  it('charges a generator nothing for requests that it may not send', async () => {
    const operations = { ...free, post: cost(1000) };
    const topology = { services: [{ name: 's0', work: { kind: 'wait' as const, mean: '5s' } }], deadlines: long };
    for (const live of [false, true]) {
      const load = { scheduleUs: every(10_000, 100), inFlightCap: 3, live };
      const { requests, figures } = await replicationOf(load, { operations }, topology);
      expect(requests.refused.reduce((sum, refused) => sum + refused, 0)).toBe(97);
      // The gateway and the service use nothing.
      expect(figures.cpuUs.reduce((sum, us) => sum + us, 0)).toBe(3000);
    }
  });

  it('slows processes that were idle, or have served nothing', async () => {
    const operations = { ...free, send: cost(1000) };
    const rtt = async (change: Partial<DemandModel>, servedBefore = 1e9) =>
      rttsOf(
        (await replicationOf({ scheduleUs: Float64Array.of(1e6), servedBefore }, { operations, ...change })).requests,
      )[0];
    const warm = 1000 + 100 + 1000;
    expect(await rtt({})).toBe(warm);
    expect(await rtt({ cold: { factor: 2, overUs: 1e-3, overWorkUs: 1e9 } })).toBeCloseTo(3 * 2000 + 100, -2);
    expect(await rtt({ cold: { factor: 2, overUs: 1e9, overWorkUs: 1e9 } })).toBeCloseTo(warm, -2);
    expect(await rtt({ warmth: { factor: 0.5, requests: 1e6 } }, 0)).toBeCloseTo(1.5 * 2000 + 100, -2);
    expect(await rtt({ warmth: { factor: 0.5, requests: 100 } }, 1e5)).toBeCloseTo(warm, -2);
    expect(await rtt({ wake: { us: 50, idleCoreUs: 9, sleepUs: 0 } })).toBe(warm + 50 + 9 + 50 + 9);
  });

  it('charges processes for going to sleep, after their messages', async () => {
    const cpuAndRtt = async (sleepUs: number) => {
      const wake = { us: 0, idleCoreUs: 0, sleepUs };
      const { figures, requests } = await replicationOf({ scheduleUs: Float64Array.of(0) }, { wake });
      return { cpuUs: figures.cpuUs[0] as number, turns: figures.turns[0] as number, rttUs: rttsOf(requests)[0] };
    };
    const [free, costly] = [await cpuAndRtt(0), await cpuAndRtt(30)];
    expect(costly.cpuUs - free.cpuUs).toBe(30 * costly.turns);
    expect([costly.turns, costly.rttUs]).toEqual([free.turns, free.rttUs]);
  });

  it('slows processes after work of others, per core', async () => {
    const operations = { ...free, send: cost(1000) };
    const rtt = async (cores: number, overWorkUs: number) => {
      const cold = { factor: 2, overUs: 1e9, overWorkUs };
      const load = { scheduleUs: Float64Array.of(0), cluster: hostWith(cores, 1) };
      return rttsOf((await replicationOf(load, { operations, cold })).requests)[0];
    };
    // The gateway sends first; then the service does, after the work of the gateway.
    expect(await rtt(1, 1)).toBeCloseTo(1000 + 100 + 3 * 1000, 0);
    expect(await rtt(2, 500)).toBeCloseTo(1000 + 100 + (3 - 2 / Math.E) * 1000, -1);
    expect(await rtt(20, 1e9)).toBeCloseTo(1000 + 100 + 1000, 0);
  });

  it('has noise of mean 1, pauses and other threads of their stated share', async () => {
    const operations = { ...free, send: cost(1000) };
    const load = { rateRps: 100, seconds: 60, cluster: hostWith(64, 1) };
    const cpuOf = async (change: Partial<DemandModel>) => {
      const { figures, requests } = await replicationOf(load, { operations, ...change });
      const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
      return [
        sum(figures.cpuUs) / requests.count,
        sum(figures.helperUs) / requests.count,
        sum(figures.turns) / requests.count,
      ];
    };
    const [plain = 0, , turns = 0] = await cpuOf({});
    expect(plain).toBe(2100);
    expect((await cpuOf({ noise: { sigma: 0.5 } }))[0]).toBeCloseTo(plain, -1.6);
    const pauses = { collections: { probability: 0.1, meanUs: 500 }, stops: { probability: 0.05, meanUs: 1000 } };
    // Generators have no pauses: two of the turns of a request are theirs.
    const expected = plain + (turns - 2) * (0.1 * 500 + 0.05 * 1000);
    expect(((await cpuOf({ pauses }))[0] as number) / expected).toBeCloseTo(1, 1);
    expect(((await cpuOf({ helpers: { share: 0.2, meanUs: 3000 } }))[1] as number) / (0.2 * plain)).toBeCloseTo(1, 0.9);
  });

  it('gives a generator the core of another process, which ends later by that time', async () => {
    const operations = { ...free, post: cost(1000) };
    const topology: Partial<TopologyInput> = { services: [{ name: 's0', work: '10ms' }] };
    const load = { scheduleUs: Float64Array.of(0, 5000), cluster: hostWith(1, 1) };
    const { requests } = await replicationOf(load, { operations }, topology);
    expect([...requests.sentUs]).toEqual([0, 5000]);
    // The service works from 1 ms on, for 10 ms. The core is free for the gateway 1 ms later than that.
    expect([...requests.openedUs]).toEqual([1000, 12_000]);
  });
});

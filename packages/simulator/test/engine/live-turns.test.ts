/**
 * Traces against live machines on the same calendar: every time of every request is equal to the last bit. And both
 * against the deployment in memory, where processors and connections are free.
 */
import { architectures, type GatewayRequest } from '@topo-bench/core';
import { keyedHashing } from '@topo-bench/core/keyed-hashing';
import { styles, type TopologyInput } from '@topo-bench/core/schema/topology';
import { deliveryKeys } from '@topo-bench/deployment';
import { graphOf } from '@topo-bench/topology';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentsArbitrary, requestArbitrary } from '../../../../test/fixtures/random-documents.ts';
import { memoryOf } from '../../../flow/test/fixtures/memory.ts';
import type { Replication } from '../../src/index.ts';
import { busyModel, freeModel, hostWith } from '../fixtures/free-model.ts';
import { replicationsOf } from '../fixtures/replications.ts';

const hashing = keyedHashing(deliveryKeys('a test'));
const links = [{ from: 'eu', to: 'us', delay: '7ms', jitter: '3ms' }];

/** All times of a replication, and the answers of the gateway. */
function everything({ requests, figures, answerTo }: Replication) {
  return {
    times: [requests.sentUs, requests.openedUs, requests.endedUs, requests.doneUs],
    figures,
    answers: Array.from({ length: requests.count }, (_, request) => answerTo(request, hashing)),
  };
}

const cases = fc.record({
  documents: documentsArbitrary,
  enforcement: fc.record({
    architecture: fc.constantFrom(...architectures),
    style: fc.constantFrom(...styles),
    routers: fc.integer({ min: 1, max: 4 }),
  }),
  sent: fc.array(requestArbitrary, { minLength: 8, maxLength: 8 }),
});

/** Requests of random kinds, each with an id of its own, in a burst. */
function burstOf(sent: readonly GatewayRequest[], count: number, gapUs: number) {
  return {
    scheduleUs: Float64Array.from({ length: count }, (_, i) => i * gapUs),
    requestOf: (i: number) => ({ ...(sent[i % sent.length] as GatewayRequest), id: `request-${i}` }),
  };
}

describe('a replication of traces', () => {
  it('is one of live machines, to the last bit: random topologies under load on shared cores', async () => {
    for (const { documents, enforcement, sent } of fc.sample(cases, { numRuns: 12, seed: 20_261_129 })) {
      const graph = graphOf({ ...documents.topology, links, enforcement }, documents.rules);
      const { deployment } = await replicationsOf(graph, { rateRps: 1, seconds: 1 });
      const setup = {
        ...{ model: busyModel, cluster: hostWith(2, graph.nodes.length), repetition: 1, generators: 2 },
        ...{ durationUs: 1e6, drainUs: 60e6, servedBefore: 2000 },
        ...burstOf(sent, 60, 900),
      };
      const traced = deployment.replicate(setup);
      expect(traced.isLive).toBe(false);
      expect(everything(deployment.replicate({ ...setup, live: true }))).toEqual(everything(traced));
      expect(everything(deployment.replicate(setup))).toEqual(everything(traced));
    }
  });

  it('has the times of the deployment in memory, where nothing but waiting takes time', async () => {
    let jittered = 0;
    for (const { documents, enforcement, sent } of fc.sample(cases, { numRuns: 20, seed: 20_261_130 })) {
      const defaults = { work: { law: 'exponential', mean: '5ms', kind: 'wait' } } as const;
      const graph = graphOf({ ...documents.topology, links, defaults, enforcement }, documents.rules);
      const { deployment } = await replicationsOf(graph, { rateRps: 1, seconds: 1 });
      const burst = burstOf(sent, 8, 400);
      const replication = deployment.replicate({
        ...{ model: freeModel, cluster: hostWith(99, graph.nodes.length), repetition: 1 },
        ...{ durationUs: 1e6, drainUs: 60e6, servedBefore: 0 },
        ...burst,
      });
      const memory = await memoryOf(graph);
      const answers = await memory.sendAll(
        Array.from(burst.scheduleUs, (atUs, i) => ({ request: burst.requestOf(i), atUs })),
      );
      for (const [i, answer] of answers.entries()) {
        expect(replication.answerTo(i, hashing)).toEqual(answer);
      }
      if (graph.links.flat().some(Boolean)) jittered++;
    }
    expect(jittered).toBeGreaterThan(10);
  });
});

const oneRequest = { class: '', origin: '', categories: [], consents: [], purpose: '', payload: {} };
const chain: TopologyInput = {
  ...{ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 'chain', nodes: [{ name: 'a', region: 'eu' }] },
  services: [
    { name: 's0', work: '1ms' },
    { name: 's1', work: { mean: '2s', kind: 'wait' } },
  ],
  flow: ['s0', 's1'],
};

/** The remaining time travels in whole µs. */
const wholeUs = 5;

describe('a deadline', () => {
  it.each(styles)('that expires ends requests as it does in memory: %s style', async (style) => {
    const deadlines = { hop: '1500ms', request: '3s' };
    const graph = graphOf({ ...chain, deadlines, enforcement: { architecture: 'sidecar', style } });
    const { replicate } = await replicationsOf(graph, { rateRps: 3, seconds: 2 });
    const replication = replicate(1);
    expect(replication.isLive).toBe(true);
    const memory = await memoryOf(graph);
    const answer = await memory.send({ ...oneRequest, id: 'one' });
    expect(answer.error).toBe('deadline:s1');
    for (let i = 0; i < replication.requests.count; i++) {
      const { status, response } = replication.answerTo(i, hashing) ?? {};
      expect(status).toBe(504);
      expect(response).toMatchObject({ error: 'deadline:s1', steps: answer.steps, hops: answer.hops });
      expect(response?.rttUs).toBeGreaterThanOrEqual(answer.rttUs - wholeUs);
      expect(response?.rttUs).toBeLessThan(answer.rttUs + 20_000);
    }
  });

  it('is found where nothing else happens until the end of the drain', async () => {
    const services = [
      { name: 's0', work: '1ms' },
      { name: 's1', work: { mean: '20s', kind: 'wait' as const } },
    ];
    const deadlines = { hop: '5s', request: '1m' };
    const graph = graphOf({
      ...chain,
      services,
      deadlines,
      enforcement: { architecture: 'sidecar', style: 'forward' },
    });
    const { replicate } = await replicationsOf(graph, { rateRps: 3, seconds: 2, drainUs: 10e6 });
    const { requests, answerTo } = replicate(1);
    expect(answerTo(0, hashing)?.response).toMatchObject({ error: 'deadline:s1' });
    expect(requests.open).toBe(0);
  });

  it('of hours expires in none of the requests before', async () => {
    const deadlines = { hop: '1s', request: '2h' };
    const graph = graphOf({ ...chain, deadlines, enforcement: { architecture: 'sidecar', style: 'forward' } });
    const { replicate } = await replicationsOf(graph, { rateRps: 3, seconds: 2 });
    expect(replicate(1).answerTo(0, hashing)?.response).toMatchObject({ error: 'deadline:s1' });
  });

  it('of the gateway cuts requests off, which are unfinished then', async () => {
    const deadlines = { hop: '20s', request: '1s' };
    const graph = graphOf({ ...chain, deadlines, enforcement: { architecture: 'sidecar', style: 'forward' } });
    const { replicate } = await replicationsOf(graph, { rateRps: 3, seconds: 2 });
    const { requests, answerTo } = replicate(1);
    for (let i = 0; i < requests.count; i++) {
      expect(answerTo(i, hashing)?.response).toMatchObject({ error: 'deadline:s1-sidecar', pastDeadline: true });
    }
  });

  it('ends every request once in an overloaded system, and names a hop', async () => {
    const seen = new Map<string, number>();
    for (const { documents, enforcement, sent } of fc.sample(cases, { numRuns: 8, seed: 20_261_131 })) {
      const deadlines = { hop: '40ms', request: '90ms' };
      const graph = graphOf({ ...documents.topology, deadlines, enforcement }, documents.rules);
      const { deployment } = await replicationsOf(graph, { rateRps: 1, seconds: 1 });
      const { requests, answerTo } = deployment.replicate({
        ...{ model: busyModel, cluster: hostWith(2, graph.nodes.length), repetition: 1 },
        ...{ durationUs: 1e6, drainUs: 60e6, servedBefore: 2000 },
        ...burstOf(sent, 100, 700),
      });
      expect(requests.open).toBe(0);
      for (let i = 0; i < requests.count; i++) {
        const { error = 'none' } = answerTo(i, hashing)?.response ?? {};
        expect(error).toMatch(/^(none|deadline:[\w-]+)$/);
        const kind = error.slice(0, 8);
        seen.set(kind, (seen.get(kind) ?? 0) + 1);
      }
    }
    expect(Math.min(seen.get('none') ?? 0, seen.get('deadline') ?? 0)).toBeGreaterThan(50);
  });

  it('that no request reaches changes nothing in an overloaded system', async () => {
    const graph = graphOf({
      ...{ ...chain, services: [{ name: 's0', work: '20ms' }], flow: ['s0'] },
      ...{ deadlines: { hop: '4s', request: '4s' }, enforcement: { architecture: 'sidecar' } },
    });
    const { replicate } = await replicationsOf(graph, { rateRps: 100, seconds: 1 });
    const { requests, isLive } = replicate(1);
    expect(isLive).toBe(false);
    expect(requests.longestUs).toBeGreaterThan(500_000);
  });
});

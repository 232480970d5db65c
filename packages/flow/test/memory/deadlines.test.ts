/** Lost flows, deadlines and caps of a deployment in virtual time. */
import type { GatewayRequest } from '@topo-bench/core';
import { styles, type TopologyInput } from '@topo-bench/core/schema/topology';
import { graphOf } from '@topo-bench/topology';
import { describe, expect, it } from 'vitest';
import type { GatewayAnswer } from '../../src/index.ts';
import { memoryOf, type TestMemory, type TestMemoryOptions } from '../fixtures/memory.ts';

const request = (id: string): GatewayRequest => ({
  ...{ id, class: 'order', origin: 'eu', categories: [], consents: [], purpose: 'contract', payload: { a: 1 } },
});

function deployed(topology: Partial<TopologyInput>, options?: TestMemoryOptions): Promise<TestMemory> {
  const services = ['s1', 's2', 's3'].map((name) => ({ name }));
  const graph = graphOf({ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 't', services, ...topology });
  return memoryOf(graph, options);
}

describe('a lost flow', () => {
  it('ends at the deadline of the gateway, and names the last hop that acknowledged it', async () => {
    const deadlines = { request: '2s', hop: '5s' };
    const memory = await deployed({ enforcement: { architecture: 'sidecar' }, deadlines }, { silent: ['s2-sidecar'] });
    const [answer] = (await memory.sendAll([{ request: request('lost'), atUs: 0 }])) as [GatewayAnswer];
    expect(answer).toMatchObject({
      status: 504,
      response: { error: 'deadline:s2-sidecar', pastDeadline: true, rttUs: 2_000_000 },
    });
    expect(memory.counts('gateway')).toMatchObject({ served: 1, inFlight: 0 });
  });

  it('of a branch ends at the gateway and at the role of its fork', async () => {
    const memory = await deployed(
      { flow: ['s1', ['s2', 's3']], enforcement: { architecture: 'sidecar' }, deadlines: { request: '2s', hop: '5s' } },
      { silent: ['s3-sidecar'] },
    );
    expect((await memory.send(request('lost'))).error).toBe('deadline:s3-sidecar');
    expect(memory.openForks()).toBe(0);
    expect(memory.counts('s1-sidecar')).toMatchObject({ inFlight: 0, served: 1 });
  });
});

describe('a deadline', () => {
  const slow = [{ name: 's1' }, { name: 's2', work: { mean: '5s', kind: 'wait' as const } }, { name: 's3' }];

  it.each([
    // In nested style each hop gives up before its caller, so the answer comes somewhat before the deadline.
    ['nested', { hop: '60s', request: '600ms' }, true, 'deadline:s2'],
    ['forward', { hop: '60s', request: '600ms' }, true, 'deadline:s2-sidecar'],
    // The hop's own deadline passed, not that of the request.
    ['nested', { hop: '600ms', request: '60s' }, undefined, 'deadline:s2'],
    ['forward', { hop: '600ms', request: '60s' }, undefined, 'deadline:s2'],
  ] as const)('of a request differs from that of a hop: %s, %o', async (style, deadlines, pastDeadline, error) => {
    const memory = await deployed({ services: slow, enforcement: { architecture: 'sidecar', style }, deadlines });
    const answer = await memory.send(request('slow'));
    expect([answer.error, answer.pastDeadline]).toEqual([error, pastDeadline]);
    expect(answer.rttUs).toBeLessThanOrEqual(600_200);
    // The service works on, and its answer is ignored.
    expect(memory.counts('s2')).toMatchObject({ served: 1, inFlight: 0 });
  });
});

describe('the gateway', () => {
  it.each(styles)('serves as many requests at once as its cap allows: %s', async (style) => {
    const services = [{ name: 's1', work: { mean: '100ms', kind: 'wait' as const } }];
    const memory = await deployed(
      { services, enforcement: { architecture: 'sidecar', style } },
      { change: () => ({ inFlightCap: 3 }) },
    );
    const answers = (await memory.sendAll(
      [0, 10, 20, 30, 100_001].map((atUs, i) => ({ request: request(`r${i}`), atUs })),
    )) as GatewayAnswer[];
    expect(answers.map(({ status, response }) => [status, response.error, response.rttUs])).toEqual([
      [200, undefined, 100_000],
      [200, undefined, 100_000],
      [200, undefined, 100_000],
      [503, 'overloaded:gateway', 0],
      [200, undefined, 100_000],
    ]);
  });

  it('refuses an id that is in flight', async () => {
    const services = [{ name: 's1', work: '1ms' }];
    const memory = await deployed({ services, enforcement: { architecture: 'none' } });
    const times = [0, 999, 1001];
    const answers = await memory.sendAll(times.map((atUs) => ({ request: request('same'), atUs })));
    expect(answers.map((answer) => (typeof answer === 'string' ? answer : answer.status))).toEqual([
      200,
      'duplicate',
      200,
    ]);
  });
});

/** Messages that are sent again, in virtual time. */
import type { TopologyInput } from '@topo-bench/core/schema/topology';
import { graphOf } from '@topo-bench/topology';
import { describe, expect, it } from 'vitest';
import type { MemoryFault } from '../../src/memory/index.ts';
import { memoryOf } from '../fixtures/memory.ts';

const ms = 1000;
const services = ['a', 'b'].map((name) => ({ name, work: '10ms' }));
const retried = { retries: 3, backoff: '100ms' };

type Effects = { work: number; again: number };

/** Two services in a chain; a hop has 1 s and a request 3 s. */
async function deploymentOf(
  enforcement: TopologyInput['enforcement'],
  faults: readonly MemoryFault[] = [],
  topology: Partial<TopologyInput> = {},
) {
  const graph = graphOf({
    ...{ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 'retries', services, ...topology },
    ...{ deadlines: { hop: '1s', request: '3s' }, enforcement: { resilience: retried, ...enforcement } },
  });
  const effects: Effects = { work: 0, again: 0 };
  const memory = await memoryOf(graph, {
    faults,
    onEffect: (effect) => {
      if (effect.kind === 'work') effects.work++;
      if (effect.kind === 'timer' && 'again' in effect.timer) effects.again++;
    },
  });
  /** @returns the effects of requests at these times, with ids that are the same in each load */
  const load = async (timesMs: readonly number[]): Promise<Effects & { ends: string[] }> => {
    Object.assign(effects, { work: 0, again: 0 });
    const answers = await memory.sendAll(timesMs.map((at, i) => ({ request: request(`r1-${i}`), atUs: at * ms })));
    const ends = answers.map((answer) =>
      typeof answer === 'string' ? answer : (answer.response.error ?? answer.response.outcome),
    );
    return { ...effects, ends };
  };
  return { load };
}

const request = (id: string) => ({
  ...{ id, class: 'order', origin: 'eu', categories: [], consents: [], purpose: 'contract' },
  payload: { customer: 'Ada' },
});

describe('with retries', () => {
  it.each(['sidecar', 'none'] as const)(
    'the ids of one load can come again in the next one: %s',
    async (architecture) => {
      const { load } = await deploymentOf({ architecture });
      const first = await load([0, 50, 100]);
      expect(first).toMatchObject({ work: 6, ends: ['completed', 'completed', 'completed'] });
      expect(await load([0, 50, 100])).toEqual(first);
    },
  );

  it('a flow that its receiver may have passed on is not sent again', async () => {
    const nested = { architecture: 'sidecar', style: 'nested' } as const;
    const crash = { kind: 'crash', atUs: 15 * ms, roles: ['b-sidecar'], restartUs: 30 * ms } as const;
    // At 15 ms the service b works on the first request; the second finds no sidecar, and is sent again.
    const { load } = await deploymentOf(nested, [crash]);
    expect(await load([0, 10])).toEqual({ work: 4, again: 1, ends: ['unreachable:b-sidecar', 'completed'] });
  });

  it('a call of a user-supplied service is sent again only if it was not sent', async () => {
    const topology = {
      nodes: ['a', 'b'].map((name) => ({ name, region: name })),
      links: [{ from: 'a', to: 'b', delay: '10ms' }],
      services: [{ name: 'u', node: 'b', url: 'http://127.0.0.1:9/' }],
    };
    const crash = { kind: 'crash', atUs: 15 * ms, roles: ['u'], restartUs: 30 * ms } as const;
    // At 15 ms the first request is with the service, or its answer is on the way. The second finds none.
    const { load } = await deploymentOf({ architecture: 'central-entity' }, [crash], topology);
    expect(await load([0, 10])).toMatchObject({ again: 1, ends: ['unreachable:u', 'completed'] });
  });

  it('messages of the past pay for no retries', async () => {
    const { load } = await deploymentOf({ architecture: 'sidecar' }, [
      { kind: 'crash', atUs: 30_000 * ms, roles: ['a-sidecar'], restartUs: 10 * ms },
    ]);
    const long = Array.from({ length: 100 }, (_, i) => i);
    // Each is one message of the gateway, which finds no sidecar. A fifth of them and ten may come again.
    const whileDown = Array.from({ length: 20 }, () => 30_001);
    expect(await load([...long, ...whileDown])).toMatchObject({ again: 14 });
  });

  it('messages that a breaker refuses pay for no retries', async () => {
    const resilience = { ...retried, breaker: { failures: 1, openFor: '20s' } };
    const { load } = await deploymentOf({ architecture: 'sidecar', resilience }, [
      { kind: 'crash', atUs: 0, roles: ['a-sidecar'] },
    ]);
    // One was sent: a fifth of it and ten may come again.
    expect(await load(Array.from({ length: 100 }, (_, i) => i + 1))).toMatchObject({ again: 11 });
  });

  it.each(['round-robin', 'sticky'] as const)('another replica gets the flow: %s', async (spread) => {
    const crash = { kind: 'crash', atUs: 0, roles: ['central-entity-2'] } as const;
    const { load } = await deploymentOf({ architecture: 'central-entity', replicas: 2, spread }, [crash]);
    const { again, ends } = await load([10, 20, 30, 40, 50, 60, 70, 80]);
    expect(ends).toEqual(Array(8).fill('completed'));
    expect(again).toBeGreaterThan(1);
  });
});

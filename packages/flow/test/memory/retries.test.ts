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
});

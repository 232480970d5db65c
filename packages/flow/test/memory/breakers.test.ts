/** Circuit breakers, in virtual time: messages to a peer that does not answer fail at once. */
import type { TopologyInput } from '@topo-bench/core/schema/topology';
import { graphOf } from '@topo-bench/topology';
import { describe, expect, it } from 'vitest';
import type { MemoryFault } from '../../src/memory/index.ts';
import { memoryOf } from '../fixtures/memory.ts';

const ms = 1000;
const breaker = { failures: 3, openFor: '500ms' };

/** Two services that work 10 ms each, on two nodes; a hop has 200 ms. */
async function deploymentOf(enforcement: TopologyInput['enforcement'], faults: readonly MemoryFault[]) {
  const graph = graphOf({
    ...{ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 'breakers', enforcement },
    nodes: ['n1', 'n2'].map((name) => ({ name, region: name })),
    services: ['a', 'b'].map((name, i) => ({ name, node: `n${i + 1}`, work: '10ms' })),
    deadlines: { hop: '200ms', request: '2s' },
  });
  const memory = await memoryOf(graph, { faults });
  /** @returns the end of each request with its RTT in ms */
  return async (timesMs: readonly number[]): Promise<string[]> => {
    const answers = await memory.sendAll(
      timesMs.map((at) => ({
        atUs: at * ms,
        request: {
          ...{ id: `r${at}`, class: 'order', origin: 'n1', categories: [], consents: [], purpose: 'contract' },
          payload: { customer: 'Ada' },
        },
      })),
    );
    expect(memory.leftOpen()).toEqual([]);
    return answers.map((answer) => {
      if (typeof answer === 'string') return answer;
      const { error, outcome, rttUs } = answer.response;
      return `${error ?? outcome} ${rttUs / ms}`;
    });
  };
}

const frozen: MemoryFault = { kind: 'freeze', atUs: 0, roles: ['a'], forUs: 1500 * ms };
const sidecars = { architecture: 'sidecar', resilience: { breaker } } as const;

describe('a peer that does not answer', () => {
  it('gets no message after so many failures, and then one at a time until it answers', async () => {
    const load = await deploymentOf(sidecars, [frozen]);
    expect(await load([0, 1, 2, 100, 210, 600, 703, 704, 910, 1500, 1502, 1503])).toEqual([
      ...['deadline:a 200', 'deadline:a 200', 'deadline:a 200'],
      // Sent before the breaker opened at 202 ms.
      'deadline:a 200',
      ...['breaker:a 0', 'breaker:a 0'],
      // Open until 702 ms; then one message is sent, and no other until its end at 903 ms opens it again.
      ...['deadline:a 200', 'breaker:a 0', 'breaker:a 0'],
      // Open until 1403 ms. The next message is sent, and its answer at 1510 ms closes the breaker.
      ...['completed 20', 'breaker:a 0', 'breaker:a 0'],
    ]);
    expect(await load([0, 1, 2])).toEqual(['completed 20', 'completed 20', 'completed 20']);
  });

  it('gets all messages while some between them are answered', async () => {
    const partition = (atMs: number): MemoryFault => {
      return { kind: 'partition', atUs: atMs * ms, forUs: 50 * ms, sides: [['a-sidecar'], ['a']], oneWay: false };
    };
    const load = await deploymentOf(sidecars, [partition(0), partition(300), partition(600)]);
    expect(await load([0, 10, 250, 300, 310, 550, 600, 610, 850])).toEqual(
      Array.from({ length: 3 }, () => ['deadline:a 200', 'deadline:a 200', 'completed 20']).flat(),
    );
  });

  it('that refuses connections is one, too', async () => {
    const crash: MemoryFault = { kind: 'crash', atUs: 0, roles: ['a'], restartUs: 400 * ms };
    const load = await deploymentOf(sidecars, [crash]);
    expect(await load([1, 2, 3, 4, 450, 503, 504])).toEqual([
      ...['unreachable:a 0', 'unreachable:a 0', 'unreachable:a 0'],
      // The breaker opened at 3 ms. What it costs: the service is back, and gets the first message at 503 ms.
      ...['breaker:a 0', 'breaker:a 0', 'completed 20', 'breaker:a 0'],
    ]);
  });

  it('gets all messages that had too little time', async () => {
    const slow: MemoryFault = { kind: 'slow', atUs: 0, roles: ['a'], delayUs: 132 * ms, forUs: 5000 * ms };
    const load = await deploymentOf({ ...sidecars, style: 'nested' }, [slow]);
    // The service a takes 142 ms of 200 ms. With two margins of 25 ms, b has 8 ms for work of 10 ms.
    expect(await load([0, 200, 400, 600, 800])).toEqual(Array(5).fill('deadline:b 150'));
    const frozenLast = await deploymentOf({ ...sidecars, style: 'nested' }, [{ ...frozen, roles: ['b'] }]);
    expect(await frozenLast([0, 1, 2, 300])).toEqual([...Array(3).fill('deadline:b 150'), 'breaker:b 10']);
  });

  it('gets all messages without a breaker, or with one that never opens', async () => {
    for (const resilience of [{}, { breaker: { failures: 0 } }]) {
      const load = await deploymentOf({ architecture: 'sidecar', resilience }, [frozen]);
      expect(await load([0, 1, 2, 3, 210])).toEqual(Array(5).fill('deadline:a 200'));
    }
  });
});

it('the point that takes over gets the flows of one that has stopped answering', async () => {
  const frozenRouter: MemoryFault = { kind: 'freeze', atUs: 0, roles: ['router-2'], forUs: 5000 * ms };
  const enforcement = { architecture: 'dynamic-router', routers: 2, resilience: { takeover: true, breaker } } as const;
  const load = await deploymentOf(enforcement, [frozenRouter]);
  const lost = 'deadline:router-2 210';
  expect(await load([0, 1, 2, 300, 301, 800, 801])).toEqual([
    ...[lost, lost, lost, 'completed 20', 'completed 20'],
    // One message in 500 ms is sent.
    ...[lost, 'completed 20'],
  ]);
  const alone = await deploymentOf({ ...enforcement, resilience: { takeover: true } }, [frozenRouter]);
  expect(await alone([0, 1, 2, 300, 301])).toEqual(Array(5).fill(lost));
});

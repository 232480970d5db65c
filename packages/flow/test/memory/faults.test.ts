import type { TopologyInput } from '@topo-bench/core/schema/topology';
import { graphOf } from '@topo-bench/topology';
import { describe, expect, it } from 'vitest';
import type { MemoryAnswer, MemoryFault } from '../../src/memory/index.ts';
import { memoryOf } from '../fixtures/memory.ts';

const ms = 1000;
const request = (id: string) => ({
  ...{ id, class: 'order', origin: 'eu', categories: [], consents: [], purpose: 'contract' },
  payload: { customer: 'Ada' },
});
const inShort = (answer: MemoryAnswer): string =>
  typeof answer === 'string' ? answer : (answer.response.error ?? answer.response.outcome);

/** A chain of two services that work 10 ms each; a hop has 1 s and a request 3 s. */
async function answersAt(
  timesMs: readonly number[],
  faults: readonly MemoryFault[],
  enforcement: TopologyInput['enforcement'] = { architecture: 'sidecar' },
) {
  const services = ['a', 'b'].map((name) => ({ name, work: '10ms' }));
  const deadlines = { hop: '1s', request: '3s' };
  const graph = graphOf({
    ...{ apiVersion: 'topo-bench/v1', kind: 'Topology', name: 'f', services, deadlines, enforcement },
  });
  const memory = await memoryOf(graph, { faults });
  const answers = await memory.sendAll(timesMs.map((at) => ({ request: request(`r${at}`), atUs: at * ms })));
  expect(memory.openForks()).toBe(0);
  return answers;
}
const outcomesAt = async (...given: Parameters<typeof answersAt>) => (await answersAt(...given)).map(inShort);

describe('in virtual time, a crash', () => {
  const crash = (role: string, restartMs?: number): MemoryFault => {
    return { kind: 'crash', atUs: 105 * ms, roles: [role], ...(restartMs && { restartUs: restartMs * ms }) };
  };

  it('of an enforcement point loses the flow in its hands, and refuses those that come until its restart', async () => {
    expect(await outcomesAt([0, 100, 110, 300], [crash('a-sidecar', 100)])).toEqual([
      'completed',
      // In forward style the gateway has its acknowledgement, and waits.
      'deadline:a-sidecar',
      'unreachable:a-sidecar',
      'completed',
    ]);
  });

  it('of a service ends the connection of its caller at once', async () => {
    const [answer] = await answersAt([100], [crash('a')]);
    expect(answer).toMatchObject({ status: 503, response: { error: 'unreachable:a', rttUs: 5 * ms } });
  });

  it('that is over before the last retry costs no request', async () => {
    const withRetries = (retries: number) => {
      return outcomesAt([100, 150], [crash('a', 100)], {
        architecture: 'sidecar',
        resilience: { retries, backoff: '60ms' },
      });
    };
    expect(await withRetries(1)).toEqual(['unreachable:a', 'completed']);
    expect(await withRetries(2)).toEqual(['completed', 'completed']);
  });

  it('in nested style is an error of the caller that waits', async () => {
    const nested = { architecture: 'sidecar', style: 'nested' } as const;
    expect(await outcomesAt([100], [crash('b-sidecar')], nested)).toEqual(['unreachable:b-sidecar']);
    const waiting: MemoryFault = { kind: 'crash', atUs: 115 * ms, roles: ['b-sidecar'] };
    expect(await outcomesAt([100], [waiting], nested)).toEqual(['unreachable:b-sidecar']);
  });

  it('of the gateway ends the connections of all clients, and takes none until its restart', async () => {
    expect(await outcomesAt([100, 101, 110, 300], [crash('gateway', 100)])).toEqual([
      ...['connection-reset', 'connection-reset', 'connection-refused', 'completed'],
    ]);
  });
});

describe('in virtual time', () => {
  it('a frozen role does its work when it continues', async () => {
    const [answer] = await answersAt([100], [{ kind: 'freeze', atUs: 105 * ms, roles: ['a'], forUs: 200 * ms }]);
    expect(answer).toMatchObject({ status: 200, response: { rttUs: 215 * ms } });
  });

  it('a frozen gateway takes requests when it continues', async () => {
    const [answer] = await answersAt([110], [{ kind: 'freeze', atUs: 105 * ms, roles: ['gateway'], forUs: 200 * ms }]);
    expect(answer).toMatchObject({ status: 200, response: { rttUs: 20 * ms } });
  });

  it('a request that ends at the thaw of the gateway does not end at its deadline as well', async () => {
    const frozen: MemoryFault = { kind: 'freeze', atUs: 105 * ms, roles: ['gateway'], forUs: 4000 * ms };
    const [answer] = await answersAt([100], [frozen]);
    expect(answer).toMatchObject({ response: { outcome: 'completed', rttUs: 4005 * ms } });
  });

  it('a slow role delays each of its messages', async () => {
    const slow = (role: string): MemoryFault => ({ kind: 'slow', atUs: 0, roles: [role], delayUs: 7 * ms, forUs: 1e9 });
    const rtt = async (role: string) =>
      (await answersAt([100], [slow(role)])).map((one) => typeof one !== 'string' && one.response.rttUs);
    // One answer of a service; a call and a forward of a sidecar; a forward of the gateway.
    expect(await rtt('a')).toEqual([27 * ms]);
    expect(await rtt('a-sidecar')).toEqual([34 * ms]);
    expect(await rtt('gateway')).toEqual([27 * ms]);
  });

  it('a partition loses messages while it lasts, both ways or one', async () => {
    const apart = (sides: [string[], string[]], oneWay: boolean): MemoryFault => {
      return { kind: 'partition', atUs: 50 * ms, sides, oneWay, forUs: 100 * ms };
    };
    expect(await outcomesAt([0, 100, 200], [apart([['a-sidecar'], ['b-sidecar']], false)])).toEqual([
      ...['completed', 'deadline:b-sidecar', 'completed'],
    ]);
    // The answer of the service is a message from it to its caller.
    expect(await outcomesAt([100], [apart([['b'], ['b-sidecar']], true)])).toEqual(['deadline:b']);
    // An acknowledgement is lost, but not the flow: the report of its end comes first.
    expect(await outcomesAt([100], [apart([['b-sidecar'], ['a-sidecar']], true)])).toEqual(['completed']);
  });
});

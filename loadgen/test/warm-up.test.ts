import { describe, expect, it } from 'vitest';
import { hasSettled, type WarmUpOptions, warmUp } from '../src/warm-up.ts';
import { orders, serve } from './fixtures/server.ts';

const options: Omit<WarmUpOptions, 'url' | 'servedPerProcess'> = {
  request: orders,
  seed: 1,
  connections: 4,
  windowUs: 50_000,
  maxUs: 10_000_000,
  requests: 100,
  change: 1,
};

describe('throughput', () => {
  it.each([
    [[100, 100], false],
    [[100, 100, 100], true],
    [[100, 102, 104], true],
    [[100, 103, 106], false],
    [[10, 50, 100, 101, 102], true],
  ])('of windows %j has settled within 5%%: %j', (windows, settled) => {
    expect(hasSettled(windows, 0.05)).toBe(settled);
  });
});

describe('warm-up', () => {
  it('runs until every process has served enough', async () => {
    let served = 0;
    const ids = new Set<string>();
    const url = await serve((response, body) => {
      served++;
      ids.add((JSON.parse(body) as { id: string }).id);
      response.end('{}');
    });
    const result = await warmUp({ ...options, url, servedPerProcess: async () => [served, Math.floor(served / 10)] });
    expect(result).toMatchObject({ warm: true, errors: 0 });
    expect(served).toBeGreaterThanOrEqual(1000);
    expect(result.windows.length).toBeGreaterThanOrEqual(3);
    expect(ids.size).toBe(served);
    expect([...ids].every((id) => id.startsWith('r0-'))).toBe(true);
  });

  it('sends each request to the gateway of its origin', async () => {
    const seen = new Set<string>();
    const [first] = orders.classes as [(typeof orders.classes)[number]];
    const request = { ...orders, classes: [{ ...first, origin: { eu: 1, us: 1, asia: 1 } }] };
    const entry = async (region: string) => {
      const url = await serve((response, body) => {
        seen.add(`${(JSON.parse(body) as { origin: string }).origin} at ${region}`);
        response.end('{}');
      });
      return { region, url };
    };
    const entries = [await entry('eu'), await entry('us')];
    const url = entries[0]?.url as string;
    await warmUp({ ...options, request, url, entries, servedPerProcess: async () => [100] });
    expect([...seen].sort()).toEqual(['asia at eu', 'eu at eu', 'us at us']);
  });

  it('ends cold at its bound', async () => {
    const url = await serve((response) => setTimeout(() => response.end('{}'), 5));
    const result = await warmUp({ ...options, url, maxUs: 200_000, servedPerProcess: async () => [0] });
    expect(result.warm).toBe(false);
  });

  it('leaves no request in flight', async () => {
    let open = 0;
    const url = await serve((response) => {
      open++;
      setTimeout(() => {
        open--;
        response.end('{}');
      }, 30);
    });
    await warmUp({ ...options, url, maxUs: 100_000, servedPerProcess: async () => [0] });
    expect(open).toBe(0);
  });

  it('counts errors of a server that is down, and ends at its bound', async () => {
    const result = await warmUp({
      ...options,
      url: 'http://127.0.0.1:1/',
      // On a busy machine a shorter bound can pass before the first window ends.
      maxUs: 2_000_000,
      servedPerProcess: async () => [0],
    });
    expect(result.warm).toBe(false);
    expect(result.errors).toBeGreaterThan(0);
  });

  it('can be aborted', async () => {
    const url = await serve((response) => response.end('{}'));
    const signal = AbortSignal.timeout(100);
    await expect(warmUp({ ...options, url, signal, servedPerProcess: async () => [0] })).rejects.toMatchObject({
      name: 'TimeoutError',
    });
  });
});

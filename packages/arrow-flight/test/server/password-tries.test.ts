import { afterEach, describe, expect, it } from 'vitest';
import { FlightClient } from '../../src/client/flight-client.ts';
import { FlightServer } from '../../src/server/flight-server.ts';
import type { TryBounds } from '../../src/server/password-tries.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function serve(tries: TryBounds): Promise<{ url: string; tried: string[] }> {
  const tried: string[] = [];
  const check = (_user: string, password: string): boolean => {
    tried.push(password);
    return password === 'right';
  };
  const server = new FlightServer({ listFlights: async function* () {} }, { authentication: { check, tries } });
  closing.push(() => server.close(0));
  return { url: await server.listen(0, '127.0.0.1'), tried };
}

function connect(url: string): FlightClient {
  const client = new FlightClient(url);
  closing.push(() => client.close(0));
  return client;
}

const wrong = { status: 'unauthenticated' };

describe('a server under password guessing', () => {
  it('checks only a few passwords per connection, right or wrong', async () => {
    const { url, tried } = await serve({ perConnection: 3, free: 100 });
    const client = connect(url);
    for (const password of ['a', 'b', 'c', 'd', 'right']) {
      await expect(client.authenticateBasic('ada', password)).rejects.toMatchObject(wrong);
    }
    expect(tried).toEqual(['a', 'b', 'c']);
    await connect(url).authenticateBasic('ada', 'right');
  });

  it('delays further attempts increasingly, on any connection and by any form', async () => {
    const { url } = await serve({ perConnection: 1, free: 4, firstWaitMs: 40, maxWaitMs: 160, forgetMs: 60_000 });
    const times: number[] = [];
    for (let number = 0; number < 8; number++) {
      const client = connect(url);
      const startMs = performance.now();
      const headers = { authorization: `Basic ${Buffer.from(`ada:${number}`).toString('base64')}` };
      if (number % 2 === 0) await expect(client.authenticateBasic('ada', String(number))).rejects.toMatchObject(wrong);
      else await expect(client.listFlights(undefined, { headers }).next()).rejects.toMatchObject(wrong);
      times.push(performance.now() - startMs);
    }
    const least = [0, 0, 0, 0, 39, 79, 159, 159];
    expect(times.map((ms, i) => ms >= (least[i] as number))).toEqual(least.map(() => true));
    // The right password waits too: an answer that comes at once would tell that it is right.
    const startMs = performance.now();
    await connect(url).authenticateBasic('ada', 'right');
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(159);
  });

  it('queues attempts, and refuses those beyond a limit', async () => {
    const { url, tried } = await serve({ perConnection: 50, free: 1, firstWaitMs: 50, maxWaitMs: 50, maxWaiting: 3 });
    const client = connect(url);
    await expect(client.authenticateBasic('ada', 'first')).rejects.toMatchObject(wrong);
    const startMs = performance.now();
    const tries = Array.from({ length: 10 }, (_, number) => connect(url).authenticateBasic('ada', String(number)));
    const statuses = (await Promise.allSettled(tries)).map((one) =>
      one.status === 'rejected' ? one.reason.status : 'let in',
    );
    expect(statuses.filter((status) => status === 'unauthenticated')).toHaveLength(3);
    expect(statuses.filter((status) => status === 'resource-exhausted')).toHaveLength(7);
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(149);
    expect(tried).toHaveLength(4);
  });

  it('forgets wrong passwords in time', async () => {
    const { url } = await serve({ perConnection: 5, free: 1, firstWaitMs: 5000, maxWaitMs: 5000, forgetMs: 100 });
    await expect(connect(url).authenticateBasic('ada', 'wrong')).rejects.toMatchObject(wrong);
    await new Promise((resolve) => setTimeout(resolve, 150));
    const startMs = performance.now();
    await connect(url).authenticateBasic('ada', 'right');
    expect(performance.now() - startMs).toBeLessThan(4000);
  });
});

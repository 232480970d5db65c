import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTcp, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { FlightClient } from '../../src/client/flight-client.ts';
import { FlightServer } from '../../src/server/flight-server.ts';
import { PasswordTries, type TryBounds } from '../../src/server/password-tries.ts';
import { closing, until } from './served-numbers.ts';

async function serve(
  tries: TryBounds,
  answer: (isRight: boolean) => boolean | Promise<boolean> = (isRight) => isRight,
): Promise<{ url: string; tried: string[] }> {
  const tried: string[] = [];
  const check = (_user: string, password: string): boolean | Promise<boolean> => {
    tried.push(password);
    return answer(password === 'right');
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

function basic(password: string): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`ada:${password}`).toString('base64')}` };
}

/** The outcomes of calls on one connection at once. */
function burst(client: FlightClient, calls: number, password = 'wrong'): Promise<string[]> {
  const headers = basic(password);
  return Promise.all(
    Array.from({ length: calls }, () =>
      client
        .listFlights(undefined, { headers })
        .next()
        .then(
          () => 'let in',
          ({ status }) => status,
        ),
    ),
  );
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
      const headers = basic(String(number));
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
    const statuses = await burst(client, 10);
    expect(statuses.filter((status) => status === 'unauthenticated')).toHaveLength(3);
    expect(statuses.filter((status) => status === 'resource-exhausted')).toHaveLength(7);
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(149);
    expect(tried).toHaveLength(4);
  });

  it.each([
    ['at once', (isRight: boolean) => isRight],
    ['in time', async (isRight: boolean) => isRight],
  ])('checks no more passwords of a burst than of single attempts, where a check answers %s', async (_, answer) => {
    const { url, tried } = await serve({ perConnection: 5, free: 100 }, answer);
    expect(new Set(await burst(connect(url), 100))).toEqual(new Set(['unauthenticated']));
    expect(tried).toHaveLength(5);
    const slow = await serve({ perConnection: 100, free: 10, firstWaitMs: 600_000, maxWaitMs: 600_000 }, answer);
    void burst(connect(slow.url), 100);
    await until(() => slow.tried.length >= 10);
    await expect(burst(connect(slow.url), 1)).resolves.toEqual(['resource-exhausted']);
    expect(slow.tried).toHaveLength(10);
  });

  it('accepts a burst of right passwords', async () => {
    const { url } = await serve({ perConnection: 5, free: 10 }, async (isRight) => isRight);
    expect(new Set(await burst(connect(url), 100, 'right'))).toEqual(new Set(['let in']));
  });

  it.skipIf(process.platform !== 'linux')('accepts callers of other addresses without a delay', async () => {
    const { url, tried } = await serve({ perConnection: 9, free: 2, firstWaitMs: 600_000, maxWaitMs: 600_000 });
    void burst(connect(url), 100);
    await until(() => tried.length >= 2);
    const { hostname, port } = new URL(url.replace('grpc+tcp', 'http'));
    const createConnection = (): Socket =>
      connectTcp({ host: hostname, port: Number(port), localAddress: '127.0.0.2' });
    const session = connectHttp2(`http://${hostname}:${port}`, { createConnection });
    closing.push(async () => session.destroy());
    const path = '/arrow.flight.protocol.FlightService/Handshake';
    const call = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      ...basic('right'),
    });
    const [answer] = await once(call, 'response');
    expect(answer.authorization).toMatch(/^Bearer /);
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

it('the hosts of an IPv6 network of 64 bits count as one address', async () => {
  const tries = new PasswordTries({ free: 1, maxWaiting: 0 });
  const guess = (peer: string): Promise<string> => tries.attempt(peer, () => false).catch(({ status }) => status);
  expect(await guess('2001:db8::1:4000')).toBe('unauthenticated');
  expect(await guess('2001:db8:0:0:5:6:7:8:4001')).toBe('resource-exhausted');
  expect(await guess('2001:db8:0:1::1:4002')).toBe('unauthenticated');
  expect(await guess('::ffff:10.0.0.1:4003')).toBe('unauthenticated');
  expect(await guess('::ffff:10.0.0.2:4003')).toBe('unauthenticated');
  expect(await guess('10.0.0.3:4003')).toBe('unauthenticated');
});

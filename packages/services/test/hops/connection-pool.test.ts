import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConnectionPool } from '../../src/hops/connection-pool.ts';
import { type HopAnswer, HopCall } from '../../src/hops/hop-call.ts';

let sockets = 0;
let responses: ServerResponse[] = [];
let bodies: string[] = [];
const server = createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  bodies.push(text);
  responses.push(response);
}).on('connection', () => sockets++);
let url = '';
let pool: ConnectionPool;

beforeEach(async () => {
  [sockets, responses, bodies] = [0, [], []];
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  pool = new ConnectionPool(url, 2);
});
afterEach(async () => {
  await pool.close();
  server.closeAllConnections();
  server.close();
});

function call(body: string, deadlineMs = 5000): Promise<HopAnswer> {
  return new Promise((resolve, reject) => {
    const options = { path: '/', method: 'POST' as const, headers: [], body };
    pool.send(new HopCall(pool, 'peer', options, deadlineMs, resolve, reject));
  });
}
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2));
}

describe('a pool of connections', () => {
  it('respects its connection limit, queues calls in order, and counts them', async () => {
    const calls = ['a', 'b', 'c', 'd'].map((body) => call(body));
    await until(() => responses.length === 2);
    expect([pool.queued, pool.queuedMax, pool.open, sockets]).toEqual([2, 2, 2, 2]);
    responses[1]?.end('answer to b');
    await until(() => responses.length === 3);
    expect(bodies).toEqual(['a', 'b', 'c']);
    responses[0]?.end();
    responses[2]?.end();
    await until(() => responses.length === 4);
    responses[3]?.end();
    const answers = await Promise.all(calls);
    expect(answers[1]).toEqual({ status: 200, text: 'answer to b' });
    expect([pool.queued, pool.queuedMax, pool.open, sockets]).toEqual([0, 2, 2, 2]);
  });

  it('ends a call whose answer is too large, and sends the next one', async () => {
    const endless = call('a');
    await until(() => responses.length === 1);
    const block = Buffer.alloc(2 ** 20);
    const write = (): void => {
      while (responses[0]?.write(block));
    };
    responses[0]?.on('drain', write).on('error', () => {});
    write();
    await expect(endless).rejects.toMatchObject({ kind: 'bad-answer', message: expect.stringContaining('64 MiB') });
    const next = call('b');
    await until(() => responses.length === 2);
    responses[1]?.end('ok');
    expect(await next).toEqual({ status: 200, text: 'ok' });
    expect(pool.receivedBytes).toBeLessThan(80 * 2 ** 20);
  });

  it('reuses a connection instead of opening another', async () => {
    for (let i = 0; i < 5; i++) {
      const answer = call('x');
      await until(() => responses.length === i + 1);
      responses[i]?.end();
      await answer;
    }
    expect(sockets).toBe(1);
  });

  it('never sends a call whose deadline passed while it waited', async () => {
    const first = [call('a'), call('b')];
    await until(() => responses.length === 2);
    const late = call('late', 30);
    await expect(late).rejects.toMatchObject({ kind: 'deadline', hop: 'peer', error: 'deadline:peer' });
    for (const response of responses) response.end();
    await Promise.all(first);
    const next = call('next');
    await until(() => responses.length === 3);
    responses[2]?.end();
    await next;
    expect(bodies).toEqual(['a', 'b', 'next']);
  });

  it('recovers from a call aborted half way', async () => {
    for (const body of ['a', 'b', 'c']) await expect(call(body, 30)).rejects.toMatchObject({ kind: 'deadline' });
    const next = call('next');
    await until(() => bodies.includes('next'));
    responses.at(-1)?.end('still here');
    expect((await next).text).toBe('still here');
    expect(pool.queued).toBe(0);
  });

  it('fails calls to a dead peer at once, queued ones too, and reconnects when it is back', async () => {
    const port = Number(new URL(url).port);
    // Calls that wait behind the second one of a connection fail with the attempt to connect again.
    const open = Array.from('abcdefgh', (body) => call(body));
    await until(() => responses.length === 2);
    server.close();
    server.closeAllConnections();
    const ends = await Promise.allSettled(open);
    expect(ends.map((end) => end.status === 'rejected' && end.reason.error)).toEqual(Array(8).fill('unreachable:peer'));
    const areSent = ends.map((end) => end.status === 'rejected' && end.reason.isSent);
    expect(areSent).toEqual([true, true, ...Array(6).fill(false)]);
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const next = call('back');
    await until(() => bodies.includes('back'));
    responses.at(-1)?.end();
    expect((await next).status).toBe(200);
  });
});

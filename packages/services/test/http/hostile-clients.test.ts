/** What clients that never finish their requests can make a server keep, under every framework. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { startServer as startExpress } from '../../src/http/express/server.ts';
import { startServer as startFastify } from '../../src/http/fastify/server.ts';
import type { Call, ConnectionBounds, RunningServer } from '../../src/http/http-port.ts';
import { startServer as startNode } from '../../src/http/node/server.ts';
import { connectionBounds } from '../../src/http/server-lifecycle.ts';

let server: RunningServer;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close(0);
});

describe.each([
  ['fastify', startFastify],
  ['express', startExpress],
  ['node', startNode],
])('a server on %s', (_name, startServer) => {
  /** Answers `/length`, and keeps the calls of `/hold`. */
  async function serve(bounds: Partial<ConnectionBounds>): Promise<Call[]> {
    const held: Call[] = [];
    server = await startServer({
      host: '127.0.0.1',
      port: 0,
      bounds: { ...connectionBounds, ...bounds },
      routes: [
        { method: 'POST', path: '/length', handle: (call) => call.answer(200, String((call.body as string).length)) },
        { method: 'POST', path: '/hold', handle: (call) => void held.push(call) },
      ],
    });
    return held;
  }

  /** Sends the first `sent` bytes of a JSON text of `bytes`. */
  function post(path: string, bytes: number, sent: number, coding = `content-length: ${bytes}`): Socket {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => {});
    socket.write(`POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${coding}\r\n\r\n`);
    socket.write(text(bytes).slice(0, sent));
    return socket;
  }
  const text = (bytes: number): string => JSON.stringify('x'.repeat(bytes - 2));
  const statusOf = async (socket: Socket): Promise<number> => {
    const [answer] = (await once(socket, 'data')) as [Buffer];
    return Number(answer.toString().split(' ')[1]);
  };

  it('closes a connection whose request does not arrive in time, and none that waits or is idle', async () => {
    const held = await serve({ receptionMs: 200, checkMs: 20 });
    const idle = post('/length', 50, 50);
    expect(await statusOf(idle)).toBe(200);
    const waiting = fetch(`${server.url}/hold`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '1',
    });
    while (held.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    const slow = post('/length', 50, 40);
    expect(await statusOf(slow)).toBe(408);
    await once(slow, 'close');
    held[0]?.answer(200, '2');
    expect(await (await waiting).json()).toBe(2);
    idle.write(
      'POST /length HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n""',
    );
    expect(await statusOf(idle)).toBe(200);
  });

  it('refuses a body beyond the limit of all unfinished ones, until others are complete', async () => {
    await serve({ bodyBytes: 100_000 });
    // Any of the three may be the last to arrive.
    const three = [1, 2, 3].map(() => post('/length', 50_000, 45_000));
    expect(await Promise.race(three.map(statusOf))).toBe(503);
    const [open, other] = three.filter(({ bytesRead }) => bytesRead === 0) as [Socket, Socket];
    open.write(text(50_000).slice(45_000));
    expect(await statusOf(open)).toBe(200);
    expect(await statusOf(post('/length', 50_000, 50_000))).toBe(200);
    expect(other.bytesRead).toBe(0);
  });

  it('counts chunked bodies, which announce no length', async () => {
    await serve({ bodyBytes: 100_000 });
    const chunked = post('/length', 2, 0, 'transfer-encoding: chunked');
    chunked.write(`${(200_000).toString(16)}\r\n${text(200_000).slice(0, 120_000)}`);
    expect(await statusOf(chunked)).toBe(503);
  });

  it('counts no bytes of lost connections', async () => {
    await serve({ bodyBytes: 100_000 });
    for (let lost = 0; lost < 3; lost++) {
      const socket = post('/length', 90_000, 80_000);
      await new Promise<void>((resolve) => socket.end(resolve));
      socket.destroy();
    }
    for (let status = 503; status !== 200; ) status = await statusOf(post('/length', 50_000, 50_000));
  });
});

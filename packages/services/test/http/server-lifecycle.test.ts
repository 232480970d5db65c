/** What a client that opens connections without using them can take of a role: a bounded number, for a bounded time. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { connectionBounds, createRoleServer, listen } from '../../src/http/server-lifecycle.ts';

async function withServer(
  bounds: Partial<typeof connectionBounds>,
  work: (port: number) => Promise<void>,
): Promise<void> {
  const options = { host: '127.0.0.1', port: 0, bounds: { ...connectionBounds, ...bounds } };
  const running = await listen(
    createRoleServer((_request, response) => response.end('here'), options),
    options,
  );
  try {
    await work(Number(new URL(running.url).port));
  } finally {
    await running.close(0);
  }
}

async function opened(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

const ask = async (socket: Socket): Promise<string> => {
  socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  return answer.toString();
};

test('a connection beyond the limit is closed, earlier ones are served', async () => {
  await withServer({ maxConnections: 2 }, async (port) => {
    const served = [await opened(port), await opened(port)];
    const refused = await opened(port);
    await once(refused, 'close');
    for (const socket of served) {
      expect(await ask(socket)).toContain('here');
      socket.destroy();
    }
  });
});

test('an idle connection is closed at its timeout, an active one is not', async () => {
  await withServer({ silentMs: 300 }, async (port) => {
    const [silent, used] = [await opened(port), await opened(port)];
    const closed = once(silent, 'close');
    const asking = setInterval(() => void ask(used), 50);
    await closed;
    clearInterval(asking);
    expect(used.destroyed).toBe(false);
    used.destroy();
  });
});

test('every flow deadline is shorter than the idle timeout, and the connection limit covers the in-flight cap', () => {
  expect(connectionBounds.silentMs).toBeGreaterThanOrEqual(600_000);
  expect(connectionBounds.maxConnections).toBeGreaterThan(8000);
});

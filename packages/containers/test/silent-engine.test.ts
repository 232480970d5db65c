/** Requests of leftovers to an engine that accepts connections and does not answer. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Docker from 'dockerode';
import { expect, it, onTestFinished, vi } from 'vitest';
import { engineLeftovers } from '../src/index.ts';

it('ends a search for leftovers at its deadline, and closes its connections', async () => {
  let [open, requests] = [0, 0];
  const server = createServer(() => {
    requests++;
  }).on('connection', (socket) => {
    open++;
    socket.on('close', () => open--);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    vi.useRealTimers();
    server.closeAllConnections();
    server.close();
  });
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const client = new Docker({ protocol: 'http', host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  const found = engineLeftovers(client).catch((error: unknown) => error);
  // Lists of containers, networks and volumes.
  while (requests < 3) await turn();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await found).toMatchObject({
    code: 'TB_ENGINE_FAILED',
    message: expect.stringContaining('list containers, networks and volumes: waited 60 s'),
  });
  while (open > 0) await turn();
});

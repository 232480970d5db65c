import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@topo-bench/host';
import { afterEach, expect, test } from 'vitest';
import { ControlClient } from '../src/control-client.ts';
import { whenHealthy } from '../src/role-health.ts';

const client = new ControlClient();
let server: Server | undefined;

afterEach(async () => {
  if (!server?.listening) return;
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

async function listen(port: number, status: number): Promise<void> {
  server = createServer((_, response) => response.writeHead(status).end('{}')).listen(port, '127.0.0.1');
  await once(server, 'listening');
}

const roleAt = (port: number) => ({ name: 'svc-1', url: `http://127.0.0.1:${port}`, controlToken: 'token' });

test('a role that does not listen yet is polled until it does', async () => {
  const port = await freePort();
  let isHealthy = false;
  const healthy = whenHealthy(client, roleAt(port), AbortSignal.timeout(20_000)).then(() => {
    isHealthy = true;
  });
  await sleep(200);
  expect(isHealthy).toBe(false);
  await listen(port, 200);
  await healthy;
});

test('a role that answers with an error is not polled again', async () => {
  const port = await freePort();
  await listen(port, 503);
  await expect(whenHealthy(client, roleAt(port), AbortSignal.timeout(20_000))).rejects.toMatchObject({
    code: 'TB_ROLE_NO_ANSWER',
    message: expect.stringContaining('status 503'),
  });
});

test('the wait ends with the reason of the signal', async () => {
  const abort = new AbortController();
  const waiting = whenHealthy(client, roleAt(await freePort()), abort.signal);
  const reason = new Error('the start has failed');
  setTimeout(() => abort.abort(reason), 100);
  await expect(waiting).rejects.toBe(reason);
});

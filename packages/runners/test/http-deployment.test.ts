import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { TopoBenchError } from '@topo-bench/core';
import { expect, it } from 'vitest';
import { ControlClient } from '../src/control-client.ts';
import { HttpDeployment } from '../src/http-deployment.ts';

/** A deployment of one role, at the address of a server that handles connections as given. */
async function deploymentAt(server: Server): Promise<HttpDeployment> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const role = { name: 'svc-1', kind: 'service', url, node: 0, host: 'h', controlToken: 't' } as const;
  return new HttpDeployment([role], new ControlClient(), {
    hosts: [],
    usage: async () => [],
    detachedCpuUs: async () => 0,
    stop: async () => undefined,
  });
}

const death = new TopoBenchError('TB_ROLE_DIED', 'svc-1 was killed');

it('gives up questions as soon as a role dies, with the death as the reason', async () => {
  // Takes connections and never answers, like the address of a container that is gone.
  const silent = createServer();
  const deployment = await deploymentAt(silent);
  const connected = once(silent, 'connection');
  const stats = deployment.stats().catch((error) => error);
  const [socket] = await connected;
  deployment.reportDeath('svc-1', death);
  expect(await stats).toBe(death);
  await expect(deployment.reset()).rejects.toBe(death);
  socket.destroy();
  await deployment.stop();
  silent.close();
});

it('reports the death of a role that the engine reports after the connection has ended', async () => {
  const ended = createServer((socket) => socket.destroy());
  const deployment = await deploymentAt(ended);
  const connected = once(ended, 'connection');
  const reset = deployment.reset().catch((error) => error);
  await connected;
  setTimeout(() => deployment.reportDeath('svc-1', death), 200);
  expect(await reset).toBe(death);
  await deployment.stop();
  ended.close();
});

it('gives a role that is down the faults of its messages once it is back', async () => {
  const asked: string[] = [];
  const role = createHttpServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      asked.push(`${request.url} ${text}`);
      response.end('{}');
    });
  });
  role.listen(0, '127.0.0.1');
  await once(role, 'listening');
  const url = `http://127.0.0.1:${(role.address() as AddressInfo).port}`;
  const target = { name: 'svc-1', kind: 'service', url, node: 0, host: 'h', controlToken: 't' } as const;
  const deployment = new HttpDeployment([target], new ControlClient(), {
    hosts: [],
    usage: async () => [],
    detachedCpuUs: async () => 0,
    apply: async () => undefined,
    stop: async () => undefined,
  });
  const { signal } = new AbortController();
  const faults = { delayUs: 7, to: ['a'], from: [] };
  await deployment.apply({ kind: 'kill', role: 'svc-1' }, signal);
  await deployment.apply({ kind: 'messages', role: 'svc-1', faults }, signal);
  expect(asked).toEqual([]);
  await deployment.apply({ kind: 'restart', role: 'svc-1' }, signal);
  expect(asked).toEqual(['/control/reset {}', `/control/faults ${JSON.stringify(faults)}`]);
  await deployment.stop();
  role.close();
});

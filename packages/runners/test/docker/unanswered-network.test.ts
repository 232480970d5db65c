/** The network of a run when the engine answers its creation late, never, or with an error. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Engine } from '@topo-bench/containers';
import Docker from 'dockerode';
import { expect, it, onTestFinished } from 'vitest';
import { createNetwork } from '../../src/docker/run-network.ts';

/** An engine that has no inspection, and to which `create` answers creations. */
async function engineOf(create: (response: ServerResponse) => void): Promise<{ engine: Engine; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url?.split('?')[0]}`);
    request.resume().on('end', () => {
      if (request.method === 'POST') create(response);
      else response.writeHead(request.method === 'DELETE' ? 204 : 500).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const client = new Docker({ protocol: 'http', host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  return { engine: { client } as Engine, requests };
}

const created = (response: ServerResponse): unknown =>
  response.writeHead(201, { 'content-type': 'application/json' }).end('{"Id":"abc"}');

it('is removed once the engine has created it after the deadline', async () => {
  let isCreated = false;
  let wasCreated: boolean | undefined;
  const { engine, requests } = await engineOf((response) => {
    setTimeout(() => {
      isCreated = true;
      created(response);
    }, 1000);
  });
  const client = Object.create(engine.client) as Docker;
  client.getNetwork = (name: string) => {
    wasCreated = isCreated;
    return engine.client.getNetwork(name);
  };
  await expect(createNetwork({ ...engine, client }, 'tb-late', {}, 300)).rejects.toMatchObject({
    code: 'TB_ENGINE_FAILED',
    message: 'the container engine gave no answer to: create the network tb-late: waited 0.3 s',
  });
  expect(requests).toEqual(['POST /networks/create', 'DELETE /networks/tb-late']);
  expect(wasCreated).toBe(true);
});

it('is removed when the connection breaks before the answer', async () => {
  const { engine, requests } = await engineOf((response) => response.destroy());
  await expect(createNetwork(engine, 'tb-broken', {})).rejects.toMatchObject({ code: 'TB_ENGINE_FAILED' });
  expect(requests).toEqual(['POST /networks/create', 'DELETE /networks/tb-broken']);
});

it('is removed when it cannot be inspected', async () => {
  const { engine, requests } = await engineOf(created);
  await expect(createNetwork(engine, 'tb-unknown', {})).rejects.toMatchObject({ code: 'TB_ENGINE_FAILED' });
  expect(requests.at(-1)).toBe('DELETE /networks/tb-unknown');
});

it('stays when the engine refuses the creation: it is of another run', async () => {
  const { engine, requests } = await engineOf((response) => response.writeHead(409).end('{"message":"exists"}'));
  await expect(createNetwork(engine, 'tb-taken', {})).rejects.toThrow('exists');
  expect(requests).toEqual(['POST /networks/create']);
});

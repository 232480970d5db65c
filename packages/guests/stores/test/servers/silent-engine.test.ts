/** Containers of database servers on an engine that does not answer a request. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Engine } from '@topo-bench/containers';
import Docker from 'dockerode';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createServerContainer } from '../../src/servers/server-container.ts';

const options = {
  ...{ name: 'tb-server', image: 'none', published: { host: '127.0.0.1', port: 1 }, port: 1 },
  access: { env: {}, file: 'secret' },
};

/** Answers every request, but calls `onSilent` for those that match. */
async function engineSilentAt(
  silent: RegExp,
  onSilent: (request: IncomingMessage) => void,
): Promise<{ engine: Engine; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const name = `${request.method} ${request.url?.split('?')[0]}`;
    requests.push(name);
    request.resume().on('end', () => {
      if (silent.test(name)) return onSilent(request);
      response.statusCode = name.endsWith('/create') ? 201 : /^DELETE|start$/.test(name) ? 204 : 200;
      const answer = { Id: 'abc', Image: 'sha256:0123', Path: 'serve', Args: [] };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
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

it('no longer waits for the end of a container that it has removed', async () => {
  const closed = vi.fn();
  const { engine, requests } = await engineSilentAt(/wait$/, (request) => request.socket.on('close', closed));
  const container = await createServerContainer(engine, options);
  await container.start();
  const ended = container.ended();
  await vi.waitFor(() => expect(requests).toContain('POST /containers/abc/wait'), { timeout: 20_000 });
  await container.remove();
  expect(await ended).toBeUndefined();
  // An open connection would keep the process running.
  await vi.waitFor(() => expect(closed).toHaveBeenCalled(), { timeout: 20_000 });
});

it('removes a container by its name when the connection breaks during its creation', async () => {
  const { engine, requests } = await engineSilentAt(/create$/, (request) => request.socket.destroy());
  await expect(createServerContainer(engine, options)).rejects.toMatchObject({ code: 'TB_ENGINE_FAILED' });
  expect(requests).toEqual(['POST /containers/create', 'DELETE /containers/tb-server']);
});

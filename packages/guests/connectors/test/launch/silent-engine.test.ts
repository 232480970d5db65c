/** An engine that stops to answer ends the launch with an error that names the request, instead of a wait for ever. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Engine } from '@topo-bench/containers';
import Docker from 'dockerode';
import { afterEach, expect, it } from 'vitest';
import { LaunchedContainer } from '../../src/launch/container/launched-container.ts';

const requests: string[] = [];
let stop: () => Promise<void> = async () => {};
afterEach(() => stop());

/** Answers requests up to the one whose path matches, which it leaves open; and removals. */
async function engineSilentAt(silent: RegExp): Promise<Engine> {
  requests.length = 0;
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] as string;
    requests.push(`${request.method} ${path}`);
    request.resume().on('end', () => {
      if (silent.test(`${request.method} ${path}`)) return;
      response.statusCode = path.endsWith('/create') ? 201 : path.endsWith('/archive') ? 200 : 204;
      response.setHeader('content-type', 'application/json').end(path.endsWith('/create') ? '{"Id":"abc"}' : '');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const { port } = server.address() as AddressInfo;
  const client = new Docker({ protocol: 'http', host: '127.0.0.1', port });
  return { client, facts: { local: true } as Engine['facts'] } as Engine;
}

it.each([
  ['create', /^POST .*\/create$/, 'tb-silent'],
  ['copy the files of', /^PUT .*\/archive$/, 'abc'],
  ['attach to', /^POST .*\/attach$/, 'abc'],
])('at the request to %s the container', async (verb, silent, removed) => {
  const engine = await engineSilentAt(silent);
  const network = { name: 'tb-silent' } as ConstructorParameters<typeof LaunchedContainer>[1]['network'];
  const place = {
    name: 'tb-silent',
    image: 'none',
    network,
    labels: {},
    mounted: new Map(),
  };
  const launch = { program: 'connector', args: () => [], files: { 'a.json': '{}' } } as const;
  const container = new LaunchedContainer(engine, place, launch, { requestedMs: 0, imagePresentMs: 0 }, 300);
  await expect(container.start()).rejects.toMatchObject({
    code: 'TB_ENGINE_FAILED',
    message: `the container engine gave no answer to: ${verb} the container tb-silent: waited 0.3 s`,
  });
  // The engine may have created it all the same.
  await container.stop();
  expect(requests.at(-1)).toBe(`DELETE /containers/${removed}`);
});

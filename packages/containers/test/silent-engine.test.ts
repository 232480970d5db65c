/** Requests to an engine that accepts connections and does not answer, or does not end its answer. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TopoBenchError } from '@topo-bench/core';
import Docker from 'dockerode';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type Engine, engineLeftovers, requireImage, serviceImage } from '../src/index.ts';

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

/** An engine that has only these images, and whose pulls and builds begin and never end. */
async function slowEngine(
  images: readonly string[],
): Promise<{ engine: Engine; begun: Promise<string>; open(): number }> {
  let open = 0;
  let begin: (path: string) => void;
  const begun = new Promise<string>((resolve) => (begin = resolve));
  const server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? '').split('?')[0] as string);
    request.resume();
    if (request.method === 'GET') {
      const has = path === '/images/json' || images.some((name) => path === `/images/${name}/json`);
      response.writeHead(has ? 200 : 404, { 'content-type': 'application/json' });
      response.end(path === '/images/json' ? '[]' : '{"Id":"abc"}');
      return;
    }
    open++;
    response.on('close', () => open--);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"status":"begun"}\n');
    begin(path);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const client = new Docker({ protocol: 'http', host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  const engine = { client, address: { url: 'tcp://127.0.0.1', source: 'test' } } as unknown as Engine;
  return { engine, begun, open: () => open };
}

const interrupted = new TopoBenchError('TB_INTERRUPTED', 'interrupted');
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('ends a pull that the caller aborts', async () => {
  const { engine, begun, open } = await slowEngine([]);
  const abort = new AbortController();
  const pulled = requireImage(engine, 'some/image', 'build it', { signal: abort.signal });
  pulled.catch(() => undefined);
  expect(await begun).toBe('/images/create');
  abort.abort(interrupted);
  await expect(pulled).rejects.toBe(interrupted);
  while (open() > 0) await turn();
});

it('ends a build that the caller aborts', async () => {
  const builtFolder = mkdtempSync(join(tmpdir(), 'topo-bench-built-'));
  onTestFinished(() => rmSync(builtFolder, { recursive: true }));
  mkdirSync(join(builtFolder, 'image'));
  writeFileSync(join(builtFolder, 'image', 'image.json'), '{"version":"0.0.0","files":[]}');
  writeFileSync(join(builtFolder, 'image', 'Dockerfile'), 'FROM base\n');
  const { engine, begun, open } = await slowEngine(['base']);
  const abort = new AbortController();
  const built = serviceImage(engine, { builtFolder, baseImage: 'base', signal: abort.signal });
  built.catch(() => undefined);
  expect(await begun).toBe('/build');
  abort.abort(interrupted);
  await expect(built).rejects.toBe(interrupted);
  while (open() > 0) await turn();
});

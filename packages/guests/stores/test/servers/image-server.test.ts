/** Servers in containers, with real ones in images that have the contract of the official images. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultBaseImage, type Engine, labels } from '@topo-bench/containers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { dockerOrSkip } from '../../../../../test/fixtures/engines.ts';
import { requireServer, startServer } from '../../src/servers/start-server.ts';
import type { StoreServer } from '../../src/servers/store-server.ts';
import { engineRows } from '../engine-rows.ts';
import { buildServerImage, type ServerImage } from '../fixtures/server-images/build-server-image.ts';

const docker = await dockerOrSkip();
const kinds = ['postgresql', 'redis'] as const;

describe.skipIf(docker.missing).each(kinds)(`a server of %s in a container${docker.why}`, (engine) => {
  let on: Engine;
  let image: ServerImage | undefined;
  const servers: StoreServer[] = [];
  beforeAll(async () => {
    on = await docker.engine;
    image = await buildServerImage(on, engine);
  });
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));
  afterAll(() => image?.remove());

  async function start(options: object = {}): Promise<StoreServer> {
    const server = await startServer({ engine, image: image?.name, ...options });
    servers.push(server);
    return server;
  }
  const { admin, users, logIn } = engineRows[engine];
  const passwordOf = ({ url }: StoreServer): string => /:([^:@/]+)@/.exec(url)?.[1] as string;
  const portOf = ({ url }: StoreServer): number => Number(/@127\.0\.0\.1:(\d+)/.exec(url)?.[1]);
  const inspect = ({ container }: StoreServer) => on.client.getContainer(container?.id as string).inspect();

  it('answers on loopback to its user alone, and shows the password nowhere', async ({ skip }) => {
    if (!image) skip(`no server of ${engine} is on this machine`);
    const server = await start();
    expect(server).toMatchObject({ engine, origin: 'image', source: expect.stringContaining(image?.name as string) });
    await expect(logIn(portOf(server), admin, passwordOf(server))).resolves.toBeDefined();
    for (const user of users) await expect(logIn(portOf(server), user, 'guess')).rejects.toThrow();
    const facts = await inspect(server);
    expect(JSON.stringify([facts, server.started, server.source])).not.toContain(passwordOf(server));
    expect(facts.HostConfig.PortBindings).toEqual({
      [`${server.container?.containerPort}/tcp`]: [{ HostIp: '127.0.0.1', HostPort: String(portOf(server)) }],
    });
    expect(facts.Config.Labels).toMatchObject({ [labels.run]: expect.any(String), [labels.owner]: expect.any(String) });
  });

  it('is gone with its volume after `stop`', async ({ skip }) => {
    if (!image) skip();
    const server = await start();
    const volumes = (await inspect(server)).Mounts.map(({ Name }) => Name as string);
    expect(volumes).toHaveLength(1);
    await server.stop();
    await server.stop();
    await expect(inspect(server)).rejects.toMatchObject({ statusCode: 404 });
    await expect(on.client.getVolume(volumes[0] as string).inspect()).rejects.toMatchObject({ statusCode: 404 });
  });

  it('is a new process on the same port and data after a renewal, which is not reported as an end', async ({
    skip,
  }) => {
    if (!image) skip();
    const server = await start();
    const deaths: unknown[] = [];
    server.onDeath = (error) => deaths.push(error);
    const before = await inspect(server);
    await server.renew();
    const after = await inspect(server);
    expect(after.State.StartedAt).not.toBe(before.State.StartedAt);
    expect(after.Mounts).toEqual(before.Mounts);
    expect(server.pid).toBe(on.facts.local ? after.State.Pid : undefined);
    await expect(logIn(portOf(server), admin, passwordOf(server))).resolves.toBeDefined();
    expect(deaths).toEqual([]);
  });

  it('reports its end, keeps its log, and can be restarted', async ({ skip }) => {
    if (!image) skip();
    const logsDir = mkdtempSync(join(tmpdir(), 'topo-bench-logs-'));
    try {
      const server = await start({ logsDir });
      const died = new Promise((resolve) => {
        server.onDeath = resolve;
      });
      await on.client.getContainer(server.container?.id as string).kill();
      expect(await died).toMatchObject({ code: 'TB_STORE_SERVER_FAILED', message: expect.stringContaining('137') });
      expect(readFileSync(join(logsDir, `store-${engine}.log`), 'utf8')).toMatch(/ready to accept connections/i);
      await server.restart();
      await expect(logIn(portOf(server), admin, passwordOf(server))).resolves.toBeDefined();
    } finally {
      rmSync(logsDir, { recursive: true });
    }
  });
});

describe.skipIf(docker.missing)(`the image of a server${docker.why}`, () => {
  const containers = async () => {
    const { client } = await docker.engine;
    return (await client.listContainers({ all: true })).filter(({ Names }) =>
      Names.some((name) => /mongodb/.test(name)),
    );
  };

  it('is required before a run, and a connection string takes precedence over it', async () => {
    const image = 'topo-bench-test.invalid/none:1';
    const missing = requireServer({ engine: 'postgresql', image });
    await expect(missing).rejects.toMatchObject({ code: 'TB_ENGINE_NO_IMAGE', exitCode: 3 });
    await expect(missing).rejects.toThrow(image);
    const named = { engine: 'redis', image, url: 'redis://127.0.0.1:1' } as const;
    await expect(requireServer(named)).rejects.toMatchObject({ code: 'TB_STORE_UNREACHABLE' });
  });

  it('that runs something else fails with its output, and leaves no container', async () => {
    const base = process.env.TOPO_BENCH_BASE_IMAGE || defaultBaseImage();
    const logsDir = mkdtempSync(join(tmpdir(), 'topo-bench-logs-'));
    try {
      const failed = startServer({ engine: 'mongodb', image: base, logsDir });
      await expect(failed).rejects.toMatchObject({ code: 'TB_STORE_SERVER_FAILED', exitCode: 3 });
      await expect(failed).rejects.toThrow(/exited with code|cannot start/);
      expect(await containers()).toEqual([]);
      expect(existsSync(join(logsDir, 'store-mongodb.log'))).toBe(true);
    } finally {
      rmSync(logsDir, { recursive: true });
    }
  });
});

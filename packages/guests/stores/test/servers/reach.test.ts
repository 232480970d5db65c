/** Servers on this machine for roles in containers: they listen on the gateway of the engine's network alone. */
import { serverReach } from '@topo-bench/containers';
import { itemEngines, type ServerReach } from '@topo-bench/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dockerOrSkip } from '../../../../../test/fixtures/engines.ts';
import { engines } from '../../src/engines.ts';
import { ping } from '../../src/servers/ping.ts';
import { requireServer, startServer } from '../../src/servers/start-server.ts';
import type { StoreServer } from '../../src/servers/store-server.ts';

const docker = await dockerOrSkip();
let reach: ServerReach;
beforeAll(async () => {
  if (!docker.missing) reach = await serverReach(await docker.engine);
});

describe.skipIf(docker.missing).each(itemEngines)(`a server of %s for containers${docker.why}`, (engine) => {
  let server: StoreServer | undefined;
  beforeAll(async () => {
    const isHere = (await (await engines[engine].server()).findServer()) !== undefined;
    if (isHere || process.env.CI === 'true') server = await startServer({ engine, reach });
  });
  afterAll(() => server?.stop());

  it('listens on the one address that containers reach, and admits its user alone', async ({ skip }) => {
    if (!server) return skip(`no server of ${engine} is on this machine`);
    const { facts } = await docker.engine;
    const { listen = '' } = reach;
    expect(facts.local && listen === '127.0.0.1').toBe(false);
    expect(server.url).toContain(`@${listen}:`);
    await ping(engine, server.url);
    await expect(ping(engine, server.url.replace(/:[^:@/]+@/, ':guess@'))).rejects.toThrow();
    const onLoopback = await ping(engine, server.url.replace(listen, '127.0.0.1')).then(
      () => 'answers',
      ({ message }: Error) => message,
    );
    expect(onLoopback).toMatch(facts.local ? /ECONNREFUSED/ : /^answers$/);
  });
});

describe('a server that containers do not reach', () => {
  const remote: ServerReach = { containers: {} };
  const pods: ServerReach = {};

  it('is refused before anything starts, with the ways out', async () => {
    const refused = requireServer({ engine: 'postgresql', reach: remote });
    await expect(refused).rejects.toMatchObject({
      code: 'TB_STORE_UNREACHABLE',
      exitCode: 3,
      hint: expect.stringMatching(/image: postgres:17.*--postgres-url/),
    });
    const image = requireServer({ engine: 'postgresql', image: 'postgres:17', reach: pods });
    await expect(image).rejects.toMatchObject({
      code: 'TB_STORE_UNREACHABLE',
      hint: expect.not.stringContaining('image'),
    });
  });

  it('is refused where a user names it by a loopback address, unless it listens where containers reach it', async () => {
    const own = await startServer({ engine: 'postgresql' });
    try {
      const named = { engine: 'postgresql', url: own.url } as const;
      await expect(requireServer({ ...named, reach: remote })).rejects.toMatchObject({ code: 'TB_STORE_UNREACHABLE' });
      // The engine forwards to loopback addresses itself.
      await requireServer({ ...named, reach: { containers: {}, loopback: 'host.docker.internal' } });
      if (docker.missing) return;
      const password = /:([^:@/]+)@/.exec(own.url)?.[1] as string;
      const refused = requireServer({ ...named, reach });
      await expect(refused).rejects.toMatchObject({ code: 'TB_STORE_UNREACHABLE', exitCode: 3 });
      await expect(refused).rejects.toThrow(`does not answer at ${reach.loopback}:`);
      await expect(refused).rejects.not.toThrow(password);
    } finally {
      await own.stop();
    }
  });
});

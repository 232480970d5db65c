import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { enforcedItemsPath, factHeaders } from '@topo-bench/core';
import { freePort } from '@topo-bench/host';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  buildServerImage,
  type ServerImage,
} from '../packages/guests/stores/test/fixtures/server-images/build-server-image.ts';
import { ComposeProject, composeOrSkip } from './fixtures/compose.ts';
import { dockerOrSkip } from './fixtures/engines.ts';
import { temporaryFolder } from './fixtures/small-files.ts';

const docker = await dockerOrSkip();
const compose = await composeOrSkip();
const readyWithinMs = 120_000;

describe.skipIf(docker.missing || compose.missing)(`the Compose project of queries${docker.why}${compose.why}`, () => {
  const name = `topo-bench-test-stores-${process.pid}`;
  const project = new ComposeProject(compose.command, join(temporaryFolder(), name), name);
  let server: ServerImage | undefined;
  let url = '';
  const items = async (origin: string, token = true): Promise<Response> => {
    const [header = '', value = ''] = readFileSync(join(project.folder, 'secrets/client.headers'), 'utf8')
      .trim()
      .split(': ');
    const facts = { [factHeaders.class]: 'order', [factHeaders.origin]: origin, [factHeaders.purpose]: 'contract' };
    const headers = { ...facts, ...(token && { [header]: value }) };
    return fetch(`${url}${enforcedItemsPath('orders')}?limit=2`, { headers, signal: AbortSignal.timeout(10_000) });
  };

  beforeAll(async () => {
    delete process.env.TOPO_BENCH_IMAGE;
    server = await buildServerImage(await docker.engine, 'postgresql');
    if (!server) throw new Error('PostgreSQL cannot be put into an image on this machine');
    const { image } = await project.create('queries');
    const [gatewayPort, itemsPort] = [await freePort(), await freePort()];
    url = `http://127.0.0.1:${itemsPort}`;
    project.env = { TOPO_BENCH_IMAGE: image, TOPO_BENCH_GATEWAY_PORT: String(gatewayPort) };
    // The official image has the same contract.
    const services = {
      'db.postgresql': { image: server.name },
      'orders-sidecar': { ports: [`127.0.0.1:${itemsPort}:8080`] },
    };
    // JSON is YAML.
    writeFileSync(join(project.folder, 'docker-compose.override.yml'), JSON.stringify({ services }));
    await project.run('up', '-d');
    const deadline = Date.now() + readyWithinMs;
    for (;;) {
      const answer = await items('eu').catch(() => undefined);
      if (answer?.status === 200) break;
      if (Date.now() > deadline)
        throw new Error(`no items: ${answer?.status} ${await project.run('logs', '--tail=5')}`);
      await sleep(500);
    }
  }, 300_000);

  afterAll(async () => {
    if (docker.missing || compose.missing) return;
    await project.run('down', '--volumes', '--timeout', '5');
    expect(await project.objects(await docker.engine)).toBe(0);
    await server?.remove();
  });

  it('serves the rows that were filled in before the service started', async () => {
    const answer = (await (await items('eu')).json()) as { items: { id: unknown }[] };
    expect(answer.items).toHaveLength(2);
    expect(await project.run('logs', 'db.prepare')).toContain('orders: 10000 rows');
  });

  it('serves none to a client without the token', async () => {
    expect((await items('eu', false)).status).toBe(401);
  });
});

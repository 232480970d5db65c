/** A Compose project with a user-supplied image: it answers, and refuses calls that bypass enforcement. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GatewayResponse } from '@topo-bench/core';
import { freePort } from '@topo-bench/host';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ComposeProject, composeOrSkip } from './fixtures/compose.ts';
import { dockerOrSkip } from './fixtures/engines.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { topoBench } from './fixtures/topo-bench.ts';
import { buildUserImage, removeImage } from './fixtures/user-image/user-image.ts';

const docker = await dockerOrSkip();
const compose = await composeOrSkip();
const readyWithinMs = 60_000;
const secretText = 'do-$HOME-not "tell" #it';

describe.skipIf(docker.missing || compose.missing)(`compose with a user's image${docker.why}${compose.why}`, () => {
  const name = `topo-bench-test-user-${process.pid}`;
  const project = new ComposeProject(compose.command, join(temporaryFolder(), name), name);
  const topology = join(temporaryFolder(), 'topology.yaml');
  let image = '';
  const generate = (secret: string) => {
    const env = JSON.stringify({ SECRET: secret });
    writeFileSync(
      topology,
      `apiVersion: topo-bench/v1
kind: Topology
name: shop
services:
  - { name: orders }
  - { name: pricing, image: "${image}", port: env LISTEN, path: /price, health: /healthy, env: ${env}, limits: { cpus: 0.5 } }
enforcement: { architecture: sidecar }
`,
    );
    return topoBench(['generate', topology, '--target', 'compose', '--out', project.folder, '--build', '--json']);
  };
  const ask = async (): Promise<GatewayResponse> => {
    const request = { class: 'order', origin: 'eu', categories: [], consents: [], purpose: 'contract', payload: {} };
    const response = await fetch(`http://127.0.0.1:${project.env.TOPO_BENCH_GATEWAY_PORT}/requests`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
      signal: AbortSignal.timeout(10_000),
    });
    return (await response.json()) as GatewayResponse;
  };

  beforeAll(async () => {
    delete process.env.TOPO_BENCH_IMAGE;
    image = await buildUserImage(await docker.engine);
    const { code, stdout, stderr } = await generate(secretText);
    if (code !== 0) throw new Error(stderr);
    const built = JSON.parse(stdout) as { image: { id: string } };
    project.env = { TOPO_BENCH_IMAGE: built.image.id, TOPO_BENCH_GATEWAY_PORT: String(await freePort()) };
    await project.run('up', '-d');
    const deadline = Date.now() + readyWithinMs;
    for (;;) {
      const answer = await ask().catch(() => undefined);
      if (answer?.outcome === 'completed') break;
      if (Date.now() > deadline) throw new Error(await project.run('logs', '--tail=5'));
      await sleep(500);
    }
  });

  afterAll(async () => {
    if (docker.missing || compose.missing) return;
    await project.run('down', '--volumes', '--timeout', '2');
    expect(await project.objects(await docker.engine)).toBe(0);
    await removeImage(await docker.engine, image);
  });

  it('passes a request through both services', async () => {
    const { outcome, steps } = await ask();
    expect(outcome).toBe('completed');
    expect(steps.map(({ service }) => service)).toEqual(['orders', 'pricing']);
  });

  it('gives the image its variables as they are, and keeps them out of what is committed', async () => {
    const { client } = await docker.engine;
    const filters = JSON.stringify({ label: ['com.docker.compose.service=user.pricing'] });
    const containers = await client.listContainers({ filters });
    const [own] = containers.filter(({ Image }) => Image === image);
    const { Config, HostConfig } = await client.getContainer(own?.Id ?? '').inspect();
    expect(Config.Env).toContain(`SECRET=${secretText}`);
    expect(HostConfig).toMatchObject({ NanoCpus: 0.5e9, SecurityOpt: ['no-new-privileges:true'] });
    expect(readFileSync(join(project.folder, 'docker-compose.yml'), 'utf8')).not.toContain('do-');
    expect(readFileSync(join(project.folder, 'config', 'pricing.json'), 'utf8')).not.toContain('do-');
  });

  it('refuses calls that bypass its enforcement point', async () => {
    const call = `fetch('http://user.pricing:8080/price', { method: 'POST', body: '{}' }).then(({ status }) => console.log(status))`;
    expect(await project.run('exec', '-T', 'orders', 'node', '-e', call)).toContain('401');
  });

  it('is refused with a value that a file of variables cannot contain', async () => {
    const { code, stderr } = await generate("it's");
    expect([code, stderr]).toEqual([2, expect.stringContaining('TB_GENERATE_UNSUPPORTED')]);
    expect(stderr).toContain('env.SECRET');
  });
});

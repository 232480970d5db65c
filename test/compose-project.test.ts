import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GatewayResponse } from '@topo-bench/core';
import { freePort } from '@topo-bench/host';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ComposeProject, composeOrSkip } from './fixtures/compose.ts';
import { dockerOrSkip } from './fixtures/engines.ts';
import { temporaryFolder } from './fixtures/small-files.ts';

const docker = await dockerOrSkip();
const compose = await composeOrSkip();
const readyWithinMs = 120_000;
const answerWithinMs = 10_000;

describe.skipIf(docker.missing || compose.missing)(`compose/quickstart${docker.why}${compose.why}`, () => {
  const name = `topo-bench-test-${process.pid}`;
  const project = new ComposeProject(compose.command, join(temporaryFolder(), name), name);
  const ask = async (request: object): Promise<GatewayResponse> => {
    const url = `http://127.0.0.1:${project.env.TOPO_BENCH_GATEWAY_PORT}/requests`;
    const headers = { 'content-type': 'application/json' };
    const signal = AbortSignal.timeout(answerWithinMs);
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(request), signal });
    return (await response.json()) as GatewayResponse;
  };
  const order = (origin: string) => ({
    class: 'order',
    origin,
    categories: ['personal'],
    consents: ['analytics'],
    purpose: 'contract',
    payload: { customer: 'Ada', items: 'book' },
    fieldCategories: { customer: 'personal' },
  });

  beforeAll(async () => {
    // Committed projects name the default image.
    delete process.env.TOPO_BENCH_IMAGE;
    const { changes, image } = await project.fetch('quickstart');
    const found = [...changes];
    expect(found).toEqual(found.map(([path]) => [path, path.startsWith('secrets/') ? 'new' : 'unchanged']));
    expect(new Set(found.map(([, change]) => change))).toEqual(new Set(['new', 'unchanged']));
    project.env = { TOPO_BENCH_IMAGE: image, TOPO_BENCH_GATEWAY_PORT: String(await freePort()) };
    await project.run('up', '-d');
    const deadline = Date.now() + readyWithinMs;
    for (;;) {
      const answer = await ask(order('us')).catch(() => undefined);
      if (answer?.outcome === 'completed') break;
      if (Date.now() > deadline) throw new Error(`no request completed: ${JSON.stringify(answer)}`);
      await sleep(500);
    }
  }, 240_000);

  afterAll(async () => {
    if (docker.missing || compose.missing) return;
    await project.run('down', '--volumes', '--timeout', '5');
    expect(await project.objects(await docker.engine)).toBe(0);
  });

  it('decides a request from the US, and completes it', async () => {
    const { outcome, steps, delivered } = await ask(order('us'));
    expect(outcome).toBe('completed');
    expect(steps).toContainEqual({ service: 'orders', effect: 'allow' });
    expect(steps).toContainEqual({ service: 'recommendations', effect: 'redact', rule: 'pseudonyms-for-analytics' });
    expect(delivered.services.map(({ service }) => service)).toContain('recommendations');
  });

  it('refuses a request whose data would leave the EU, by the rule for it', async () => {
    const { outcome, rule, service, delivered } = await ask(order('eu'));
    expect({ outcome, rule, service }).toEqual({
      outcome: 'refused',
      rule: 'eu-data-stays',
      service: 'recommendations',
    });
    expect(delivered.services.map((one) => one.service)).not.toContain('recommendations');
  });

  it('runs roles without write access and without capabilities', async () => {
    const { client } = await docker.engine;
    const filters = JSON.stringify({ label: [`com.docker.compose.project=${name}`] });
    const containers = await client.listContainers({ filters });
    expect(containers).toHaveLength(15);
    const { HostConfig, Config } = await client.getContainer(containers[0]!.Id).inspect();
    expect(HostConfig).toMatchObject({
      ReadonlyRootfs: true,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges:true'],
    });
    expect(Config.User).toBe('1000:1000');
  });
});

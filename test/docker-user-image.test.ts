/** A user-supplied image on a container engine: behind enforcement and without, measured, limited, and protected. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownerLabel } from '@topo-bench/containers';
import { labels } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { dockerOrSkip } from './fixtures/engines.ts';
import { measuredRun } from './fixtures/measured-run.ts';
import { openRun } from './fixtures/open-run.ts';
import { temporaryFolder } from './fixtures/small-files.ts';
import { startTopoBench, topoBench, unbroken } from './fixtures/topo-bench.ts';
import { buildUserImage, removeImage } from './fixtures/user-image/user-image.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

const found = await dockerOrSkip();

const experiment = `apiVersion: topo-bench/v1
kind: Experiment
name: shop
topology: topology.yaml
factors: { architecture: [none, central-entity, sidecar] }
repetitions: 1
load: { rate: 3 }
duration: 3s
drain: 20s
warmup: { max: 0s }
validity: { remeasure: 0%, smallestDifference: 100% }
runner: docker
`;

describe.skipIf(found.missing)(`a user-supplied image${found.why}`, () => {
  const folder = temporaryFolder();
  const cwd = { cwd: folder, env: { XDG_STATE_HOME: join(folder, 'state') } };
  let image = '';
  beforeAll(async () => {
    image = await buildUserImage(await found.engine);
    writeFileSync(join(folder, 'experiment.yaml'), experiment);
  });
  afterAll(async () => {
    if (image) await removeImage(await found.engine, image);
  });

  /** @param fields of the service, next to those that it needs */
  const writeTopology = (fields: string, env = '', name = image): void =>
    writeFileSync(
      join(folder, 'topology.yaml'),
      `apiVersion: topo-bench/v1
kind: Topology
name: shop
# No container can be stopped by a limit of as many cores as no machine has.
gateway: { limits: { cpus: 2 } }
services:
  - { name: orders }
  - { name: pricing, image: "${name}", port: env LISTEN, path: /price, health: /healthy, env: { ${env} }, ${fields} }
requests: { classes: [{ name: order, origin: eu, payload: { items: { category: none } } }] }
`,
    );

  it('is called behind every kind of enforcement, measured, and stopped by its limit on CPU time', async () => {
    // Each request needs more CPU time than a period of 100 ms has, at a low average.
    writeTopology('limits: { cpus: 0.2 }', 'BURN_MS: 25');
    const out = join(folder, 'run');
    const { cells, stderr } = await measuredRun(topoBench(['run', 'experiment.yaml', '--json', '--out', out], cwd));
    expect(cells, stderr).toHaveLength(3);
    for (const { outcomes, errors, cpuUsPerRequest, resources, validity, factors } of cells) {
      expect([errors, outcomes.error, outcomes.unfinished]).toEqual([{}, 0, 0]);
      expect(outcomes.completed).toBeGreaterThan(5);
      expect(cpuUsPerRequest.service).toBeGreaterThan(15_000);
      // The role next to the service is idle behind an enforcement point, and carries the flow without one.
      expect(Number(cpuUsPerRequest.carrier) > 2000).toBe(factors.architecture === 'none');
      expect(resources.service?.processes).toBe(2);
      expect(resources.service?.rssBytes).toBeGreaterThan(60e6);
      expect(resources.service?.throttledPeriods).toBeGreaterThan(0);
      expect(resources.service?.quotaPeriods).toBeGreaterThanOrEqual(resources.service?.throttledPeriods ?? 0);
      expect(validity.flags).toContain('cpu-throttled');
      expect(resources.gateway).toMatchObject({ throttledPeriods: 0 });
      expect(resources.gateway?.quotaPeriods).toBeGreaterThan(0);
      expect(resources).not.toHaveProperty('sidecar.quotaPeriods');
    }
    expect(stderr).toMatch(/cpu-throttled \(service in \d+(\.\d+)?% of the periods of its limit\)/);
    expect(readFileSync(join(out, 'logs', 'pricing.log'), 'utf8')).toContain('pricing listens on 8080');
  });

  it('refuses calls that bypass its enforcement point', async () => {
    writeTopology('tags: [price]', 'SECRET: do-not-tell');
    const up = startTopoBench(
      ['up', 'topology.yaml', '--runner', 'docker', '--set', 'architecture=sidecar', '--json'],
      cwd,
    );
    try {
      await up.saw('\n', 'stdout');
      const { gatewayUrl } = JSON.parse(up.stdout()) as { gatewayUrl: string };
      const request = { class: 'order', origin: 'eu', categories: [], consents: [], purpose: 'contract', payload: {} };
      const answer = await fetch(`${gatewayUrl}/requests`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request),
      });
      expect(answer.status).toBe(200);
      const { client } = await found.engine;
      const [container] = (await client.listContainers()).filter(({ Image }) => Image === image);
      expect(container?.Labels).toMatchObject({ [labels.role]: 'pricing', [labels.owner]: expect.any(String) });
      expect(container?.Ports.filter(({ PublicPort }) => PublicPort)).toEqual([]);
      // From a container of the same network: on some machines the network is not reachable from here.
      const call = `fetch('http://user.pricing:8080/price', { method: 'POST', body: '{}' }).then(({ status }) => console.log(status))`;
      const exec = await client
        .getContainer(container?.Id ?? '')
        .exec({ Cmd: ['node', '-e', call], AttachStdout: true });
      const stream = await exec.start({});
      const output = await new Promise<string>((resolve) => {
        let text = '';
        stream.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
        stream.on('end', () => resolve(text));
      });
      expect(output).toContain('401');
    } finally {
      up.process.kill('SIGINT');
      await up.ended;
    }
  });

  it('that exceeds its limit on memory under load is named, and spoils its own repetition alone', async () => {
    // Nine requests keep 90 MB.
    writeTopology('limits: { memory: 64MiB }', 'KEEP_BYTES: 10000000');
    const levels = 'architecture: [sidecar], services.pricing.limits.memory: [64MiB, 512MiB]';
    writeFileSync(
      join(folder, 'memory.yaml'),
      experiment.replace('architecture: [none, central-entity, sidecar]', levels),
    );
    const out = join(folder, 'memory');
    const run = startTopoBench(['run', 'memory.yaml', '--out', out], cwd);
    const owner = await ownerLabel(run.pid);
    const { code, stderr } = await run.ended;
    expect(code, stderr).toBe(5);
    const cause = /pricing was killed: it used more than its 64 MiB/;
    expect(unbroken(stderr)).toMatch(cause);
    const { cells, record } = await openRun(out);
    expect(record.status).toBe('finished');
    const withLimit = (limit: string): Cell => {
      const [cell] = cells.filter(({ factors }) => Object.values(factors).includes(limit));
      return cell as Cell;
    };
    const { reasons, valid } = withLimit('64MiB').validity;
    expect([valid, reasons.join()]).toEqual([false, expect.stringMatching(cause)]);
    const enough = withLimit('512MiB');
    expect(enough.validity.reasons.join()).not.toMatch(/killed|died/);
    expect(enough.outcomes).toMatchObject({ error: 0, unfinished: 0 });
    expect(enough.outcomes.completed).toBeGreaterThan(5);
    const { client } = await found.engine;
    const filters = { label: [`${labels.owner}=${owner}`] };
    const { Volumes } = await client.listVolumes({ filters });
    expect(await client.listContainers({ all: true, filters })).toEqual([]);
    expect(await client.listNetworks({ filters })).toEqual([]);
    expect(Volumes ?? []).toEqual([]);
  });

  it('that does not listen where it should is named with the way out', async () => {
    writeTopology('readyWithin: 2s', 'LISTEN: 9999');
    const out = join(folder, 'deaf');
    const { code, stderr } = await topoBench(['run', 'experiment.yaml', '--out', out], cwd);
    expect(code).toBe(2);
    expect(stderr).toMatch(/pricing: http:\/\/user\.pricing:8080 was not ready within 2 s/);
    expect(stderr).toMatch(/environment variable LISTEN/);
  });

  it('that the engine does not have and cannot pull ends the run with exit code 3', async () => {
    writeTopology('tags: [price]', '', 'topo-bench-test/none:1');
    const { code, stderr } = await topoBench(['run', 'experiment.yaml', '--out', join(folder, 'none')], cwd);
    expect([code, stderr]).toEqual([3, expect.stringContaining('TB_ENGINE_NO_IMAGE')]);
    expect(stderr).toContain('topo-bench-test/none:1');
  });

  it('leaves nothing behind', async () => {
    const { client } = await found.engine;
    expect((await client.listContainers({ all: true })).filter(({ Image }) => Image === image)).toEqual([]);
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { cellOfSamples } from '@topo-bench/results';
import { scheduleUs } from '@topo-bench/workload';
import { describe, expect, it } from 'vitest';
import { childrenOf, eventually, hasProc, isAlive } from '../../../packages/host/test/fixtures/processes.ts';
import { driverNamed } from '../../src/driver-named.ts';
import type { Launcher } from '../../src/launcher/launcher.ts';
import { launcherNamed } from '../../src/launcher/launchers.ts';
import type { LoadResult } from '../../src/load-result.ts';
import { sampleOfRow } from '../../src/sample-of-row.ts';
import { builtWorker } from '../fixtures/built-worker.ts';
import { startHost, token } from '../fixtures/generator-host.ts';
import { jobFor, serve } from '../fixtures/server.ts';

const worker = builtWorker();

function launcherOf(...hosts: { address: import('../../src/index.ts').GeneratorAddress }[]): Launcher {
  return launcherNamed('remote', { addresses: async () => hosts.map(({ address }) => address) });
}

describe('generators on other hosts', () => {
  it('split the one schedule, and return every sample and body', async () => {
    const bodies: string[] = [];
    const url = await serve((response, body) => {
      bodies.push(body);
      response.end(JSON.stringify({ size: body.length }));
    });
    const hosts = [await startHost(worker.path, 'one'), await startHost(worker.path, 'two')];
    const job = jobFor(url, { rateRps: 400, durationUs: 1_000_000, generators: 2 });
    const { samples, ...load } = await driverNamed('open', launcherOf(...hosts)).run(job);
    expect(samples.intendedUs).toEqual(scheduleUs(job));
    expect(samples.status.every((status) => status === 200)).toBe(true);
    expect(load.sent).toBe(bodies.length);
    expect(Buffer.from(load.body(0) as Uint8Array).toString()).toMatch(/^\{"size":\d+\}$/);
    expect(load.generatorRecords?.map(({ name, host }) => [name, host])).toEqual([
      ['one', 'machine-of-one'],
      ['two', 'machine-of-two'],
    ]);
    expect(load.generatorRecords?.map(({ sent }) => sent)).toEqual([
      Math.ceil(load.sent / 2),
      Math.floor(load.sent / 2),
    ]);
    for (const { cpuUs, schedulerLag, clock } of load.generatorRecords ?? []) {
      expect(cpuUs).toBeGreaterThan(0);
      expect(schedulerLag.count).toBeGreaterThan(150);
      // One machine, one clock: nothing to state.
      expect(clock).toBeUndefined();
    }
    expect(load.generatorHosts?.map(({ id }) => id)).toEqual(['machine-of-one', 'machine-of-two']);
    for (const { use } of load.generatorHosts ?? []) expect(use.idlePercent).toBeLessThan(100);
  });

  it('serve one load after another, with a new process for each', async () => {
    const url = await serve((response) => response.end('{}'));
    const host = await startHost(worker.path, 'one');
    const driver = driverNamed('open', launcherOf(host));
    await driver.run(jobFor(url));
    if (hasProc) expect(childrenOf(host.pid)).toEqual([]);
    expect((await driver.run(jobFor(url))).unfinished).toBe(0);
  });

  it('refuse a wrong token, without repeating it', async () => {
    const { address } = await startHost(worker.path, 'one');
    const launcher = launcherOf({ address: { ...address, token: 'another-token-0123456789' } });
    const run = driverNamed('open', launcher).run(jobFor('http://127.0.0.1:1/'));
    await expect(run).rejects.toMatchObject({
      code: 'TB_LOAD_GENERATOR_REFUSED',
      message: expect.stringMatching(/load generator one .* status 401: the token is missing or wrong$/),
    });
    await expect(run).rejects.not.toThrow(token);
  });

  it('are named when nothing listens there', async () => {
    const address = { name: 'gone', url: 'http://127.0.0.2:1', token, lastWords: async () => ['out of memory'] };
    await expect(driverNamed('open', launcherOf({ address })).run(jobFor('http://127.0.0.1:1/'))).rejects.toMatchObject(
      {
        code: 'TB_LOAD_GENERATOR_REFUSED',
        message: expect.stringMatching(/load generator gone .*ECONNREFUSED(.|\n)*out of memory/),
      },
    );
  });

  it('serve one coordinator at a time', async () => {
    const url = await serve((response) => response.end('{}'));
    const host = await startHost(worker.path, 'one');
    const run = (durationUs: number, onStart = () => {}) =>
      driverNamed('open', launcherOf(host)).run(jobFor(url, { durationUs }), undefined, { onStart });
    let second: Promise<LoadResult> | undefined;
    const first = run(1_500_000, () => {
      second = run(100_000);
      second.catch(() => undefined);
    });
    expect((await first).unfinished).toBe(0);
    await expect(second).rejects.toMatchObject({
      code: 'TB_LOAD_GENERATOR_REFUSED',
      message: expect.stringContaining('409: another coordinator uses this generator'),
    });
    await expect(run(100_000)).resolves.toBeDefined();
  });

  it.skipIf(!hasProc)('fail the load by name when they are killed', async () => {
    const url = await serve((response) => response.end('{}'));
    const hosts = [await startHost(worker.path, 'one'), await startHost(worker.path, 'two')];
    const job = jobFor(url, { durationUs: 60_000_000, generators: 2 });
    const run = driverNamed('open', launcherOf(...hosts)).run(job, undefined, {
      onStart: () => process.kill(childrenOf(hosts[1]?.pid as number)[0] as number, 'SIGKILL'),
    });
    await expect(run).rejects.toMatchObject({
      code: 'TB_LOAD_GENERATOR_DIED',
      message: expect.stringMatching(/^load generator two ended: SIGKILL/),
    });
    // The other one has ended, too.
    expect(hosts.flatMap(({ pid }) => childrenOf(pid))).toEqual([]);
  });

  it('fail the load by name, with their last words, when their host is killed', async () => {
    const url = await serve((response) => response.end('{}'));
    const host = await startHost(worker.path, 'one');
    const address = { ...host.address, lastWords: async () => ['OOMKilled'] };
    const run = driverNamed('open', launcherOf({ address })).run(jobFor(url, { durationUs: 60_000_000 }), undefined, {
      onStart: () => host.process.kill('SIGKILL'),
    });
    await expect(run).rejects.toMatchObject({
      code: 'TB_LOAD_GENERATOR_DIED',
      message: expect.stringMatching(/^load generator one ended: (.|\n)*OOMKilled$/),
    });
  });

  it.skipIf(!hasProc)('end when their coordinator is killed, and serve the next one', async () => {
    const url = await serve((response) => response.end('{}'));
    const host = await startHost(worker.path, 'one');
    const source = `
      import { driverNamed, launcherNamed } from ${JSON.stringify(new URL('../../src/index.ts', import.meta.url).href)};
      const launcher = launcherNamed('remote', { addresses: async () => [${JSON.stringify(host.address)}] });
      await driverNamed('open', launcher).run(${JSON.stringify(jobFor(url, { durationUs: 60_000_000 }))}, undefined, {
        onStart: () => console.log('started'),
      });`;
    const tsx = pathToFileURL(new URL('../../../node_modules/tsx/dist/loader.mjs', import.meta.url).pathname).href;
    const coordinator = spawn(process.execPath, ['--import', tsx, '--input-type=module', '-e', source], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(coordinator.stdout, 'data');
    const generators = childrenOf(host.pid);
    expect(generators.filter(isAlive)).toHaveLength(1);
    coordinator.kill('SIGKILL');
    await eventually(() => !generators.some(isAlive));
    await expect(driverNamed('open', launcherOf(host)).run(jobFor(url))).resolves.toBeDefined();
  });

  it('that get their start too late make the repetition invalid, by name', async () => {
    const url = await serve((response) => response.end('{}'));
    const hosts = [await startHost(worker.path, 'one'), await startHost(worker.path, 'two')];
    const job = jobFor(url, { durationUs: 1_000_000, rateRps: 100, generators: 2 });
    const load = await driverNamed('open', lateFor('two', launcherOf(...hosts))).run(job);
    const [one, two] = load.generatorRecords ?? [];
    expect(one?.startLateUs).toBe(0);
    expect(two?.startLateUs).toBeGreaterThan(100_000);
    const cell = cellOfSamples({
      source: 'measured',
      factors: {},
      repetition: 1,
      load,
      samples: Array.from(load.samples.index, (_, row) => sampleOfRow(load.samples, row)),
      schedule: { rateRps: 100, smallestDifference: 0.05 },
      maxErrorShare: 0,
    });
    expect(cell.validity.valid).toBe(false);
    expect(cell.validity.reasons).toContainEqual(
      expect.stringMatching(
        /^load generator two began \d+ ms after the common start instant, at most 1(\.\d+)? ms allowed$/,
      ),
    );
    expect(cell.generator?.each?.map(({ name, host }) => [name, host])).toEqual([
      ['one', 'machine-of-one'],
      ['two', 'machine-of-two'],
    ]);
    expect(cell.generator?.hosts?.['machine-of-two']?.idlePercent).toBeGreaterThanOrEqual(0);
  });
});

/** Delivers `start` to one generator 300 ms later. */
function lateFor(name: string, launcher: Launcher): Launcher {
  return {
    ...launcher,
    launch: async (parts, signal) => {
      const links = await launcher.launch(parts, signal);
      const late = links.find((link) => link.name === name);
      const send = late?.send.bind(late);
      if (late && send)
        late.send = (message) => void (message.type === 'start' ? setTimeout(() => send(message), 300) : send(message));
      return links;
    },
  };
}

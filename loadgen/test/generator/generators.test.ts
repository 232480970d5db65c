import { type ChildProcess, spawn } from 'node:child_process';
import { getEventListeners, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { mayKeepCoresAwake } from '@topo-bench/host';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  childrenOf,
  eventually,
  hasProc,
  isAlive,
  latencyFilesHeld,
  roundRobin,
  scheduling,
} from '../../../packages/host/test/fixtures/processes.ts';
import { driverNamed } from '../../src/driver-named.ts';
import { errorKinds } from '../../src/error-kind.ts';
import { launcherNamed } from '../../src/launcher/launchers.ts';
import { responseTimeUs, schedulerLagsUs } from '../../src/samples.ts';
import { builtWorker } from '../fixtures/built-worker.ts';
import { jobFor, serve } from '../fixtures/server.ts';

const worker = builtWorker();
const driver = () => driverNamed('open', launcherNamed('processes', { workerPath: worker.path }));

describe('generator processes', () => {
  it.skipIf(!hasProc)('that are paused send late, and the wait counts from the intended time', async () => {
    const url = await serve((response) => response.end('{}'));
    const before = new Set(childrenOf(process.pid));
    const job = jobFor(url, { arrivals: 'constant', rateRps: 200, durationUs: 1_000_000, processes: 1 });
    const { samples } = await driver().run(job, undefined, {
      onStart: () => {
        const [generator] = childrenOf(process.pid).filter((pid) => !before.has(pid)) as [number];
        setTimeout(() => process.kill(generator, 'SIGSTOP'), 300);
        setTimeout(() => process.kill(generator, 'SIGCONT'), 700);
      },
    });
    const late = Array.from(samples.index, (_, row) => responseTimeUs(samples, row)).filter((time) => time > 200_000);
    // The pause of 400 ms met 80 requests; the first 40 waited for more than 200 ms. Timed from the send,
    // none did.
    expect(late.length).toBeGreaterThan(30);
    expect(schedulerLagsUs(samples).filter((lag) => lag > 200_000).length).toBeGreaterThan(30);
  });

  it.skipIf(!hasProc)('have real-time priority, where allowed, only in their event loop and their pacer', async () => {
    const url = await serve((response) => response.end('{}'));
    const before = new Set(childrenOf(process.pid));
    let threads = new Map<number, [number, number]>();
    let generator = 0;
    const { granted } = await driver().run(jobFor(url, { processes: 1 }), undefined, {
      onStart: () => {
        [generator = 0] = childrenOf(process.pid).filter((pid) => !before.has(pid));
        threads = scheduling(generator);
      },
    });
    const inTime = [...threads]
      .filter(([, [priority, policy]]) => priority === 1 && policy === roundRobin)
      .map(([thread]) => thread);
    expect(threads.size).toBeGreaterThan(2);
    expect(inTime).toHaveLength(granted.realTimePriority ? 2 : 0);
    expect(inTime.includes(generator)).toBe(granted.realTimePriority);
  });

  it('collect no garbage during a load, nor after 8 s of idling', async () => {
    const url = await serve((response) => response.end('{}'));
    const file = join(dirname(worker.path), 'collections.ndjson');
    vi.stubEnv(
      'NODE_OPTIONS',
      `--require ${fileURLToPath(new URL('../fixtures/write-collections.cjs', import.meta.url))}`,
    );
    vi.stubEnv('TOPO_BENCH_TEST_COLLECTIONS', file);
    onTestFinished(() => void vi.unstubAllEnvs());
    const durationUs = 9_500_000;
    const { startedAt } = await driver().run(jobFor(url, { rateRps: 200, durationUs, processes: 1 }));
    const collections = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { atMs: number; kind: number })
      .map(({ atMs, kind }) => ({ afterMs: atMs - startedAt.getTime(), kind }));
    // The rehearsal's, before the load.
    expect(collections.filter(({ afterMs }) => afterMs < 0)).not.toEqual([]);
    // The last request leaves 5 ms before the end; after its answer the result is put together, which may collect.
    const lastSentMs = durationUs / 1e3 - 5;
    expect(collections.filter(({ afterMs }) => afterMs >= 0 && afterMs < lastSentMs)).toEqual([]);
  });

  it.skipIf(!hasProc)('keep the cores awake during a load, where allowed', async () => {
    const url = await serve((response) => response.end('{}'));
    let held = 0;
    const onStart = () => {
      held = latencyFilesHeld();
    };
    const { granted } = await driver().run(jobFor(url, { durationUs: 200_000 }), undefined, { onStart });
    expect(held).toBe(granted.coresKeptAwake ? 1 : 0);
    expect(granted.coresKeptAwake).toBe(await mayKeepCoresAwake());
    expect(latencyFilesHeld()).toBe(0);
  });

  it.skipIf(!hasProc)('allow the cores to sleep when the job does', async () => {
    const url = await serve((response) => response.end('{}'));
    let held = 0;
    const onStart = () => {
      held = latencyFilesHeld();
    };
    const { granted } = await driver().run(jobFor(url, { durationUs: 200_000, keepAwake: false }), undefined, {
      onStart,
    });
    expect(held).toBe(0);
    expect(granted.coresKeptAwake).toBe(false);
  });

  it('finish when the server is killed, with every request answered, failed by kind, or unfinished', async () => {
    const server = spawn(process.execPath, ['-e', serverSource], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [port] = (await once(server.stdout as NonNullable<ChildProcess['stdout']>, 'data')) as [Buffer];
    const job = jobFor(`http://127.0.0.1:${port}/`, { arrivals: 'constant', rateRps: 200, durationUs: 1_000_000 });
    const { samples, unfinished } = await driver().run(job, undefined, {
      onStart: () => setTimeout(() => server.kill('SIGKILL'), 500),
    });
    const kinds = [...samples.error].map((error) => errorKinds[error]);
    expect(unfinished).toBe(0);
    expect(samples.status.filter((status) => status === 200).length).toBeGreaterThan(50);
    expect(kinds.filter((kind) => kind === 'connection-reset').length).toBeGreaterThan(0);
    expect(kinds.filter((kind) => kind === 'connection-refused').length).toBeGreaterThan(50);
    expect(new Set(kinds)).toEqual(new Set(['none', 'connection-reset', 'connection-refused']));
  });

  it.skipIf(!hasProc)('end when their parent is killed', async () => {
    const url = await serve((response) => response.end('{}'));
    const job = jobFor(url, { durationUs: 60_000_000, processes: 2 });
    const source = `
      import { driverNamed, launcherNamed } from ${JSON.stringify(new URL('../../src/index.ts', import.meta.url).href)};
      await driverNamed('open', launcherNamed('processes', { workerPath: ${JSON.stringify(worker.path)} })).run(${JSON.stringify(job)}, undefined, {
        onStart: () => console.log('started'),
      });`;
    const tsx = pathToFileURL(new URL('../../../node_modules/tsx/dist/loader.mjs', import.meta.url).pathname).href;
    const parent = spawn(process.execPath, ['--import', tsx, '--input-type=module', '-e', source], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(parent.stdout as NonNullable<ChildProcess['stdout']>, 'data');
    const generators = childrenOf(parent.pid as number);
    expect(generators.filter(isAlive).length).toBeGreaterThanOrEqual(2);
    parent.kill('SIGKILL');
    await eventually(() => !generators.some(isAlive));
  });

  it.skipIf(!hasProc)('end when the load is aborted, and the load rejects with the reason', async () => {
    const url = await serve((response) => response.end('{}'));
    const before = new Set(childrenOf(process.pid));
    const stop = new AbortController();
    let generators: number[] = [];
    const run = driver().run(jobFor(url, { durationUs: 60_000_000 }), stop.signal, {
      onStart: () => {
        generators = childrenOf(process.pid).filter((pid) => !before.has(pid));
        stop.abort(new Error('enough'));
      },
    });
    await expect(run).rejects.toThrow('enough');
    expect(generators.length).toBeGreaterThan(0);
    expect(generators.filter(isAlive)).toEqual([]);
    expect(latencyFilesHeld()).toBe(0);
  });

  it('leave no listener on the abort signal of a longer run', async () => {
    const url = await serve((response) => response.end('{}'));
    const { signal } = new AbortController();
    await driver().run(jobFor(url, { durationUs: 100_000 }), signal);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it.skipIf(!hasProc)('fail the load by name when they are killed', async () => {
    const url = await serve((response) => response.end('{}'));
    const before = new Set(childrenOf(process.pid));
    const run = driver().run(jobFor(url, { durationUs: 60_000_000, processes: 2 }), undefined, {
      onStart: () => process.kill(childrenOf(process.pid).filter((pid) => !before.has(pid))[1] as number, 'SIGKILL'),
    });
    await expect(run).rejects.toMatchObject({
      code: 'TB_LOAD_GENERATOR_DIED',
      message: expect.stringContaining('SIGKILL'),
    });
  });

  it('are not started for a bad job', async () => {
    await expect(driver().run(jobFor('ftp://127.0.0.1/'))).rejects.toMatchObject({ code: 'TB_LOAD_URL' });
    await expect(driver().run(jobFor('http://127.0.0.1:1/', { connections: 0 }))).rejects.toMatchObject({
      code: 'TB_USAGE',
    });
  });

  it('report errors with their codes', async () => {
    await expect(driver().run(jobFor('http://127.0.0.1:1/'))).rejects.toMatchObject({ code: 'TB_LOAD_UNREACHABLE' });
    await expect(driver().run(jobFor('http://127.0.0.1:1/', { rateRps: 1e9 }))).rejects.toMatchObject({
      code: 'TB_LOAD_OUT_OF_RANGE',
    });
  });
});

const serverSource = `
  require('node:http')
    .createServer((request, response) => {
      request.resume();
      setTimeout(() => response.end('{}'), 20);
    })
    .listen(0, '127.0.0.1', function () { console.log(this.address().port); });`;

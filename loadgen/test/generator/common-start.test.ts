import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { driverNamed } from '../../src/driver-named.ts';
import { launcherNamed } from '../../src/launcher/launchers.ts';
import type { LoadResult } from '../../src/load-result.ts';
import { schedulerLagsUs } from '../../src/samples.ts';
import { builtWorker } from '../fixtures/built-worker.ts';
import { startHost } from '../fixtures/generator-host.ts';
import { jobFor, serve } from '../fixtures/server.ts';

const worker = builtWorker();

async function loadOfTwo(): Promise<LoadResult> {
  const url = await serve((response) => response.end('{}'));
  const job = jobFor(url, { arrivals: 'constant', rateRps: 100, durationUs: 500_000, processes: 2 });
  return driverNamed('open', launcherNamed('processes', { workerPath: worker.path })).run(job);
}

function shiftClocks(): () => number[] {
  const folder = mkdtempSync(join(tmpdir(), 'topo-bench-starts-'));
  const file = join(folder, 'starts');
  vi.stubEnv('NODE_OPTIONS', `--require ${fileURLToPath(new URL('../fixtures/shift-clock.cjs', import.meta.url))}`);
  vi.stubEnv('TOPO_BENCH_TEST_STARTS', file);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
  return () => readFileSync(file, 'utf8').trim().split('\n').map(Number);
}

describe('generators on other hosts', () => {
  it('with clocks hours apart start at one instant, within the stated error, and state offset and drift', async () => {
    const startsOf = shiftClocks();
    const url = await serve((response) => response.end('{}'));
    const hosts = [await startHost(worker.path, 'one'), await startHost(worker.path, 'two')];
    const job = jobFor(url, { arrivals: 'constant', rateRps: 100, durationUs: 500_000, generators: 2 });
    const launcher = launcherNamed('remote', { addresses: async () => hosts.map(({ address }) => address) });
    const { startAtUs, startErrorUs, sent, generatorRecords = [] } = await driverNamed('open', launcher).run(job);
    const starts = startsOf();
    expect(starts).toHaveLength(2);
    for (const start of starts) expect(Math.abs(start - startAtUs)).toBeLessThanOrEqual(startErrorUs);
    expect(startErrorUs).toBeLessThan(20_000);
    expect(sent).toBe(50);
    for (const { clock, startLateUs } of generatorRecords) {
      expect(startLateUs).toBe(0);
      expect(clock?.offsetUs).toBeGreaterThan(3600e6);
      // The shifted clocks run as fast as ours.
      expect(Math.abs(clock?.driftUs as number)).toBeLessThanOrEqual(clock?.driftErrorUs as number);
    }
    expect(Math.max(...generatorRecords.map(({ clock }) => clock?.errorUs as number))).toBe(startErrorUs);
  });
});

describe('generators', () => {
  it('on one host start at one instant, within the error of its clock readings', async () => {
    const { startErrorUs } = await loadOfTwo();
    expect(startErrorUs).toBeGreaterThanOrEqual(0);
    expect(startErrorUs).toBeLessThan(100);
  });

  it('with clocks hours apart start at one instant, within the stated error', async () => {
    const startsOf = shiftClocks();
    const { startAtUs, startErrorUs, samples, sent } = await loadOfTwo();
    const starts = startsOf();
    expect(starts).toHaveLength(2);
    for (const start of starts) expect(Math.abs(start - startAtUs)).toBeLessThanOrEqual(startErrorUs);
    expect(startErrorUs).toBeGreaterThan(0);
    expect(startErrorUs).toBeLessThan(20_000);
    // The pacing thread and the event loop of each read the same shifted clock: no request is hours late, or never due.
    expect(sent).toBe(50);
    expect(Math.min(...schedulerLagsUs(samples))).toBeGreaterThanOrEqual(0);
    expect(schedulerLagsUs(samples).sort()[25]).toBeLessThan(50_000);
  });
});

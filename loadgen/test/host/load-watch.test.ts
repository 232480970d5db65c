import { spawn, spawnSync } from 'node:child_process';
import { cpus, freemem, totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GeneratorRecord } from '@topo-bench/core';
import { readProcessUsage } from '@topo-bench/host';
import { summarise } from '@topo-bench/stats';
import { expect, it } from 'vitest';
import { hasTaskset, usableCoreNumbers } from '../../../packages/host/test/fixtures/cores.ts';
import { hasProc } from '../../../packages/host/test/fixtures/processes.ts';
import { LoadWatch } from '../../src/host/load-watch.ts';

const busy = 'const until = Date.now() + 20_000; while (Date.now() < until);';
const windowMs = 1500;

/** A busy process whose parent has ended, so that it belongs to no process here. */
function startOutside(): number {
  const { stdout } = spawnSync('sh', ['-c', '"$0" -e "$1" >/dev/null 2>&1 & echo $!', process.execPath, busy], {
    encoding: 'utf8',
  });
  return Number(stdout);
}

/** Share of all cores that the processes had, as the scheduler counts it, and what the watch reports meanwhile. */
async function watched(pids: readonly number[]) {
  const used = (): number => pids.reduce((sum, pid) => sum + (readProcessUsage(pid)?.cpuUs ?? 0), 0);
  const watch = new LoadWatch({ detachedCpuUs: async () => 0 });
  const [beforeUs, startMs] = [used(), performance.now()];
  watch.begin();
  await sleep(windowMs);
  watch.end();
  const cores = cpus().length;
  const sharePercent = (used() - beforeUs) / (10 * cores * (performance.now() - startMs));
  return { host: (await watch.watchings()).host, sharePercent };
}

it.skipIf(!hasProc)('distinguishes foreign programs from our own', async () => {
  const outside = startOutside();
  const own = spawn(process.execPath, ['-e', busy], { stdio: 'ignore' });
  try {
    await sleep(300);
    const theirs = await watched([outside]);
    const foreignPercent = theirs.host?.foreignPercent as number;
    expect(theirs.sharePercent).toBeGreaterThan(1);
    // Neighbours may have more of the host; what the process outside had is foreign in any case.
    expect(foreignPercent).toBeGreaterThan(theirs.sharePercent - 3);
    const ours = await watched([own.pid as number]);
    const busyPercent = 100 - (ours.host?.idlePercent as number);
    expect(ours.sharePercent).toBeGreaterThan(1);
    expect(ours.host?.foreignPercent).toBeLessThan(busyPercent - ours.sharePercent + 3);
  } finally {
    process.kill(outside, 'SIGKILL');
    own.kill('SIGKILL');
  }
});

it.skipIf(!hasProc)('counts processes as own that do not descend from this one', async () => {
  const outside = startOutside();
  const readUs = async (): Promise<number> => readProcessUsage(outside)?.cpuUs ?? 0;
  try {
    await sleep(300);
    const watch = new LoadWatch({ detachedCpuUs: readUs });
    watch.begin();
    const beforeUs = await readUs();
    await sleep(windowMs);
    watch.end();
    const usedUs = (await readUs()) - beforeUs;
    const { host } = await watch.watchings();
    const sharePercent = usedUs / (10 * cpus().length * windowMs);
    const busyPercent = 100 - (host?.idlePercent as number);
    expect(host?.foreignPercent).toBeLessThan(busyPercent - sharePercent + 3);
  } finally {
    process.kill(outside, 'SIGKILL');
  }
});

it.skipIf(!hasProc)('records the memory in use of the host at the end', async () => {
  const watch = new LoadWatch();
  watch.begin();
  await sleep(50);
  watch.end();
  const used = totalmem() - freemem();
  // The kernel counts what it could free at once as available, and not as free.
  const { host } = await watch.watchings();
  expect(host?.rssBytes).toBeGreaterThan(process.memoryUsage.rss());
  expect(host?.rssBytes).toBeLessThan(1.1 * used);
});

it.skipIf(!hasProc)('counts generators in containers of this host as ours', async () => {
  const watch = new LoadWatch({ detachedCpuUs: async () => 0 });
  const startMs = performance.now();
  watch.begin();
  await sleep(300);
  watch.end();
  // A busy machine wakes this process late.
  const cpuUs = 0.5 * cpus().length * (performance.now() - startMs) * 1e3;
  const record = { ...useOf(cpuUs), name: 'pod', host: 'node-1', sent: 1, schedulerLag: summarise([]), startLateUs: 0 };
  const foreign = async (...generatorRecords: GeneratorRecord[]) =>
    (await watch.watchings({ generatorRecords })).host?.foreignPercent as number;
  const all = await foreign();
  expect(await foreign(record)).toBeCloseTo(Math.max(0, all - 50), -1);
  // Another clock is another host.
  const clock = { offsetUs: 5, errorUs: 1, driftUs: 0, driftErrorUs: 1 };
  expect(await foreign({ ...record, clock })).toBe(all);
});

it.skipIf(!hasTaskset || cpus().length < 2)('counts all cores where services run outside of this process', async () => {
  const module = JSON.stringify(new URL('../../src/host/load-watch.ts', import.meta.url).href);
  const source = `
    import { LoadWatch } from ${module};
    const coresOf = async (detachedUs) => {
      const watch = new LoadWatch({ detachedCpuUs: async () => detachedUs });
      const startMs = performance.now();
      watch.begin();
      await new Promise((resolve) => setTimeout(resolve, 600));
      watch.end();
      const ms = performance.now() - startMs;
      const { hostIntervals: { totalUs } } = await watch.watchings();
      return totalUs.reduce((sum, us) => sum + us, 0) / 1e3 / ms;
    };
    console.log(JSON.stringify([await coresOf(0), await coresOf(1)]));`;
  const [core] = usableCoreNumbers();
  const args = ['-c', String(core), process.execPath, '--import', 'tsx', '--input-type=module', '-e', source];
  const { stdout } = spawnSync('taskset', args, { encoding: 'utf8' });
  const [own, machine] = JSON.parse(stdout) as [number, number];
  expect(own).toBeGreaterThan(0.5);
  expect(own).toBeLessThan(1.5);
  expect(machine / own).toBeGreaterThan(0.75 * cpus().length);
});

function useOf(cpuUs: number) {
  return { windowUs: 300_000, cpuUs, eventLoopUtilization: 0.5, rssBytes: 1 };
}

it('does not distinguish them when not all processes of the measurement are known', async () => {
  const watch = new LoadWatch();
  watch.begin();
  await sleep(50);
  watch.end();
  expect((await watch.watchings()).host).not.toHaveProperty('foreignPercent');
});

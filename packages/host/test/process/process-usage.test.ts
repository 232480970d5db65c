import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { readAllProcessStats } from '../../src/process/process-stat.ts';
import { readStartedUsage, readTreeUsage } from '../../src/process/process-tree.ts';
import { type ProcessUsage, readProcessUsage, sumUsage } from '../../src/process/process-usage.ts';

const linux = process.platform === 'linux';

/**
 * Burns CPU in the main thread, then in a worker, and prints after each the figures of `getrusage` for the whole
 * process, in µs.
 */
const twoBurners = `
const { Worker } = require('node:worker_threads');
const used = () => { const { user, system } = process.cpuUsage(); return user + system; };
const burn = 'const of = () => { const { user, system } = process.cpuUsage(); return user + system; }; const until = of() + 300_000; while (of() < until);';
const worker = new Worker('require("node:worker_threads").parentPort.on("message", () => {' + burn + ' require("node:worker_threads").parentPort.postMessage(0); });', { eval: true });
process.stdin.once('data', () => {
  eval(burn);
  console.log(used());
  process.stdin.once('data', () => { worker.once('message', () => console.log(used())); worker.postMessage(0); });
});
worker.once('online', () => console.log(used()));
`;

let child: ChildProcess | undefined;
afterEach(() => child?.kill('SIGKILL'));

/** Figures that only threads have. */
type ByThread = Required<ProcessUsage>;

describe('CPU time by thread', () => {
  it.runIf(linux)('sums to that of the process, and separates the main thread from others', async () => {
    const burner = spawn(process.execPath, ['-e', twoBurners], { stdio: ['pipe', 'pipe', 'inherit'] });
    child = burner;
    const next = async (): Promise<{ saysUs: number; usage: ByThread }> => {
      const [line] = (await once(burner.stdout, 'data')) as [Buffer];
      return { saysUs: Number(line), usage: readProcessUsage(burner.pid as number) as ByThread };
    };
    const start = await next();
    burner.stdin.write('1');
    const mainBurnt = await next();
    burner.stdin.write('2');
    const workerBurnt = await next();
    const share = (from: ByThread, to: ByThread): number =>
      (to.mainThread.cpuUs - from.mainThread.cpuUs) / (to.cpuUs - from.cpuUs);
    for (const { saysUs, usage } of [start, mainBurnt, workerBurnt]) {
      expect(Math.abs(usage.cpuUs - saysUs)).toBeLessThan(20_000);
      expect(usage.mainThread.cpuUs + usage.otherThreads.cpuUs).toBeCloseTo(usage.cpuUs);
    }
    expect(share(start.usage, mainBurnt.usage)).toBeGreaterThan(0.6);
    expect(share(mainBurnt.usage, workerBurnt.usage)).toBeLessThan(0.4);
    expect(workerBurnt.usage.otherThreads.slices).toBeGreaterThan(start.usage.otherThreads.slices);
  });

  it.runIf(linux)('includes the time of a thread that has ended', async () => {
    const worker = 'const { user } = process.cpuUsage(); while (process.cpuUsage().user < user + 200_000);';
    const script = `const { Worker } = require('node:worker_threads');
      new Worker(${JSON.stringify(worker)}, { eval: true }).once('exit', () => { console.log(process.cpuUsage().user); setInterval(() => {}, 1000); });`;
    const burner = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    child = burner;
    await once(burner.stdout, 'data');
    const usage = readProcessUsage(burner.pid as number) as ByThread;
    expect(usage.cpuUs).toBeGreaterThan(190_000);
    expect(usage.otherThreads.cpuUs).toBeGreaterThan(190_000);
  });

  it.runIf(linux)('has its part in the kernel', async () => {
    const script = `
      const { readFileSync } = require('node:fs');
      const used = () => process.cpuUsage();
      while (used().system < 200_000) readFileSync('/proc/self/maps');
      while (used().user < 2 * used().system) for (let i = 0; i < 1e7; i++);
      console.log(used().system);
      setInterval(() => {}, 1000);`;
    const burner = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    child = burner;
    const [line] = (await once(burner.stdout, 'data')) as [Buffer];
    const { systemUs = 0, cpuUs = 0 } = readProcessUsage(burner.pid as number) ?? {};
    expect(Math.abs(systemUs - Number(line))).toBeLessThan(30_000);
    expect(systemUs).toBeLessThan(cpuUs / 2);
  });

  it('is unknown, not 0, for a process that has ended', () => {
    expect(readProcessUsage(2 ** 30)).toBeUndefined();
  });
});

describe('several processes', () => {
  const thread = { cpuUs: 1, waitUs: 2, slices: 3 };

  it('add up', () => {
    const one = { cpuUs: 2, rssBytes: 10, mainThread: thread, otherThreads: thread };
    const both = { cpuUs: 2, waitUs: 4, slices: 6 };
    expect(sumUsage([one, one])).toEqual({
      processes: 2,
      cpuUs: 4,
      rssBytes: 20,
      mainThread: both,
      otherThreads: both,
    });
    expect(sumUsage([])).toBeUndefined();
    const parted = { ...one, systemUs: 1 };
    expect(sumUsage([parted, parted])?.systemUs).toBe(2);
    expect(sumUsage([parted, one])).not.toHaveProperty('systemUs');
  });

  it('omit figures by thread when one process lacks them', () => {
    const known = { cpuUs: 2, rssBytes: 10, mainThread: thread, otherThreads: thread };
    expect(sumUsage([known, { cpuUs: 1, rssBytes: 1 }])).toEqual({ processes: 2, cpuUs: 3, rssBytes: 11 });
  });

  it.runIf(linux)('are those that a process started', async () => {
    const idle = `console.log('idle'); setInterval(() => {}, 1000)`;
    // A shell with two children.
    const script = `const { spawn } = require('node:child_process');
      spawn(process.execPath + ' -e ' + ${JSON.stringify(JSON.stringify(idle))} + ' & sleep 60', { shell: true, detached: true, stdio: 'inherit' });
      setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    child = parent;
    const pid = parent.pid as number;
    try {
      await once(parent.stdout, 'data');
      expect(readStartedUsage(pid)?.processes).toBe(3);
      expect(readTreeUsage([pid])?.processes).toBe(4);
      expect(readStartedUsage(2 ** 30)).toBeUndefined();
    } finally {
      const { pid: shell } = readAllProcessStats().find(({ parent: of }) => of === pid) ?? {};
      if (shell !== undefined) process.kill(-shell, 'SIGKILL');
    }
  });
});

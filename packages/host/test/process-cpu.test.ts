import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { cpuBetween, type ProcessCpu, readProcessCpu } from '../src/process-cpu.ts';

const linux = process.platform === 'linux';

/** Burns CPU in the main thread, then in a worker, and prints after each what `getrusage` says of the whole process, in µs. */
const twoBurners = `
const { Worker } = require('node:worker_threads');
const used = () => { const { user, system } = process.cpuUsage(); return user + system; };
const burn = 'const until = performance.now() + 300; while (performance.now() < until);';
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

describe('CPU time by thread', () => {
  it.runIf(linux)('adds up to that of the process, and tells main thread and others apart', async () => {
    const burner = spawn(process.execPath, ['-e', twoBurners], { stdio: ['pipe', 'pipe', 'inherit'] });
    child = burner;
    const pid = burner.pid as number;
    const next = async (): Promise<{ usedUs: number; cpu: ProcessCpu }> => {
      const [line] = (await once(burner.stdout, 'data')) as [Buffer];
      return { usedUs: Number(line), cpu: readProcessCpu(pid) as ProcessCpu };
    };
    const start = await next();
    burner.stdin.write('1');
    const mainBurnt = await next();
    burner.stdin.write('2');
    const workerBurnt = await next();
    const isMain = (thread: number): boolean => thread === pid;
    const first = cpuBetween(start.cpu, mainBurnt.cpu);
    expect(Math.abs(first.cpuUs - (mainBurnt.usedUs - start.usedUs))).toBeLessThan(30_000);
    expect(cpuBetween(start.cpu, mainBurnt.cpu, isMain).cpuUs / first.cpuUs).toBeGreaterThan(0.8);
    const second = cpuBetween(mainBurnt.cpu, workerBurnt.cpu);
    expect(Math.abs(second.cpuUs - (workerBurnt.usedUs - mainBurnt.usedUs))).toBeLessThan(30_000);
    expect(cpuBetween(mainBurnt.cpu, workerBurnt.cpu, isMain).cpuUs / second.cpuUs).toBeLessThan(0.2);
    expect(first.slices).toBeGreaterThan(0);
  });

  it('counts a thread that started in between in full, and one that ended not at all', () => {
    const before = new Map([
      [1, { cpuUs: 100, waitUs: 10, slices: 5 }],
      [2, { cpuUs: 900, waitUs: 90, slices: 9 }],
    ]);
    const after = new Map([
      [1, { cpuUs: 150, waitUs: 15, slices: 7 }],
      [3, { cpuUs: 30, waitUs: 3, slices: 1 }],
    ]);
    expect(cpuBetween(before, after)).toEqual({ cpuUs: 80, waitUs: 8, slices: 3 });
    expect(cpuBetween(before, after, (thread) => thread === 1)).toEqual({ cpuUs: 50, waitUs: 5, slices: 2 });
  });

  it('is not known, rather than 0, for a process that has ended', () => {
    expect(readProcessCpu(2 ** 30)).toBeUndefined();
  });
});

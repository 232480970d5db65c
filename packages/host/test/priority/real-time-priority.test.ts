import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { giveRealTimePriority, systemThreadId } from '../../src/priority/real-time-priority.ts';
import { roundRobin, scheduling } from '../fixtures/processes.ts';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

async function startNode(): Promise<number> {
  const script = 'console.log(1); setInterval(() => {}, 1000)';
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  await new Promise((resolve) => child.stdout?.once('data', resolve));
  return child.pid as number;
}

describe.skipIf(!existsSync('/proc/self/task'))('real-time priority', () => {
  it('is given to every thread, or the refusal is reported', async () => {
    const pid = await startNode();
    const before = scheduling(pid);
    const given = await giveRealTimePriority(pid);
    const threads = scheduling(pid);
    expect(threads.size).toBeGreaterThan(1);
    for (const [thread, policy] of threads) expect(policy).toEqual(given ? [1, roundRobin] : before.get(thread));
  });

  it('is given only to the listed threads', async () => {
    const pid = await startNode();
    const before = scheduling(pid);
    const given = await giveRealTimePriority(pid, [pid]);
    const { [pid]: main, ...others } = Object.fromEntries(scheduling(pid));
    expect(main).toEqual(given ? [1, roundRobin] : before.get(pid));
    expect(Object.keys(others).length).toBeGreaterThan(0);
    for (const [thread, policy] of Object.entries(others)) expect(policy).toEqual(before.get(Number(thread)));
  });

  it('identifies threads by their kernel ids', async () => {
    const source = `require('node:worker_threads').parentPort.postMessage(require('node:fs').readlinkSync('/proc/thread-self'))`;
    const worker = new Worker(source, { eval: true });
    const [link] = (await once(worker, 'message')) as [string];
    const inThread = Number(link.split('/').at(-1));
    expect(readdirSync('/proc/self/task').map(Number)).toContain(systemThreadId());
    expect(systemThreadId()).not.toBe(inThread);
    await worker.terminate();
  });

  it('is refused for a process that has ended', async () => {
    const child = spawn(process.execPath, ['-e', '0']);
    await new Promise((resolve) => child.once('exit', resolve));
    expect(await giveRealTimePriority(child.pid as number)).toBe(false);
  });
});

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { giveRealTimePriority } from '../../src/host/real-time-priority.ts';

/** SCHED_RR, as sched(7) numbers it. */
const roundRobin = 2;
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** Real-time priority and policy of every thread: fields 40 and 41 of its `stat`, as proc_pid_stat(5) counts them. */
function scheduling(pid: number): [number, number][] {
  return readdirSync(`/proc/${pid}/task`).map((thread) => {
    const fields = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return [Number(fields[40 - 3]), Number(fields[41 - 3])];
  });
}

describe.skipIf(!existsSync('/proc/self/task'))('real-time priority', () => {
  it('is given to every thread, or said to be refused', async () => {
    const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1000)'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    children.push(child);
    await new Promise((resolve) => child.stdout?.once('data', resolve));
    const pid = child.pid as number;
    const given = await giveRealTimePriority(pid);
    const threads = scheduling(pid);
    expect(threads.length).toBeGreaterThan(1);
    for (const thread of threads) expect(thread).toEqual(given ? [1, roundRobin] : [0, 0]);
  });

  it('cannot be given to a process that is gone', async () => {
    const child = spawn(process.execPath, ['-e', '0']);
    await new Promise((resolve) => child.once('exit', resolve));
    expect(await giveRealTimePriority(child.pid as number)).toBe(false);
  });
});

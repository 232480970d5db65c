/**
 * Real-time priority for a process that must wake in time. On a busy host the kernel waits until the running process
 * has used its slice of 3 ms before it wakes another of the same class, whatever their nice values (figures in
 * docs/decisions/0008-generator-priority.md).
 */
import { readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { programOutput } from '../child/program-output.ts';
import { SupervisedChild } from '../child/supervised-child.ts';

/** Kernel id of the calling thread; undefined where the system has none (not Linux). */
export function systemThreadId(): number | undefined {
  try {
    return Number(basename(readlinkSync('/proc/thread-self')));
  } catch {
    return undefined;
  }
}

/**
 * Moves threads of a process to the lowest real-time priority (Linux, `chrt`). The runtime's own threads (compiler,
 * garbage collector) keep theirs. With a higher priority than services they would delay services by milliseconds; with
 * a lower one they would delay the event loop that waits for them.
 * @param threads kernel ids of the threads that must wake in time; default: all. Threads that they start later do not
 *   inherit it.
 * @returns whether the system allowed it: to root and holders of `CAP_SYS_NICE`, and within `ulimit -r`
 */
export async function giveRealTimePriority(pid: number, threads?: readonly number[]): Promise<boolean> {
  if (!threads) return chrt('--rr', '--all-tasks', '--pid', '1', String(pid));
  const given = threads.map((thread) => chrt('--rr', '--reset-on-fork', '--pid', '1', String(thread)));
  return (await Promise.all(given)).every(Boolean);
}

/** Whether this process may give real-time priority to its children. */
export async function mayGiveRealTimePriority(): Promise<boolean> {
  const probe = new SupervisedChild({
    command: process.execPath,
    args: ['-e', 'setInterval(() => {}, 1000)'],
    stdio: 'ignore',
  });
  const allowed = probe.pid !== undefined && (await giveRealTimePriority(probe.pid, [probe.pid]));
  probe.kill();
  await probe.exited;
  return allowed;
}

async function chrt(...args: string[]): Promise<boolean> {
  return (await programOutput('chrt', args)) !== undefined;
}

/**
 * Real-time priority for a process that must wake in time. On a busy host the kernel lets the running process finish its slice of
 * 3 ms before it wakes another of the same class, whatever their nice values (figures in docs/decisions/0008-generator-priority.md).
 */
import { execFile } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** The system's number of the calling thread; undefined where it cannot be known (not Linux). */
export function systemThreadId(): number | undefined {
  try {
    return Number(basename(readlinkSync('/proc/thread-self')));
  } catch {
    return undefined;
  }
}

/**
 * Moves threads of a process to the lowest real-time priority (Linux, `chrt`). The runtime's own (compiler, garbage collector) stay as
 * they are: before the services they would hold them up for milliseconds, behind them they would hold up the event loop that waits for them.
 * @param threads kernel ids of the threads that must wake in time; default: all. Threads that they start later do not inherit it.
 * @returns whether the system allowed it: to root and holders of `CAP_SYS_NICE`, and within `ulimit -r`
 */
export async function giveRealTimePriority(pid: number, threads?: readonly number[]): Promise<boolean> {
  try {
    if (threads) await Promise.all(threads.map((thread) => chrt('--rr', '--reset-on-fork', '--pid', '1', String(thread))));
    else await chrt('--rr', '--all-tasks', '--pid', '1', String(pid));
    return true;
  } catch {
    return false;
  }
}

async function chrt(...args: string[]): Promise<void> {
  await execute('chrt', args, { timeout: 5000 });
}

/**
 * Real-time priority for a process that must wake in time. On a busy host the kernel lets the running process finish its slice of
 * 3 ms before it wakes another of the same class, whatever their nice values (figures in docs/decisions/0008-generator-priority.md).
 */
import { execFile } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
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
 * Moves threads of a process to the lowest real-time priority (Linux, `chrt`), and the others behind all other work: compilers and
 * garbage collectors of the runtime, which would hold up the service that is being measured for milliseconds.
 * @param threads system's numbers of those that must wake in time; left out: all
 * @returns whether the system allowed it: to root and holders of `CAP_SYS_NICE`, and within `ulimit -r`
 */
export async function giveRealTimePriority(pid: number, threads?: readonly number[]): Promise<boolean> {
  try {
    if (!threads) {
      await chrt('--rr', '--all-tasks', '--pid', '1', String(pid));
      return true;
    }
    // First those: where they are refused, the others stay as they are.
    await Promise.all(threads.map((thread) => chrt('--rr', '--pid', '1', String(thread))));
    const others = readdirSync(`/proc/${pid}/task`).filter((thread) => !threads.includes(Number(thread)));
    await Promise.all(others.map((thread) => chrt('--idle', '--pid', '0', thread)));
    return true;
  } catch {
    return false;
  }
}

async function chrt(...args: string[]): Promise<void> {
  await execute('chrt', args, { timeout: 5000 });
}

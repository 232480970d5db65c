/**
 * Real-time priority for a process that must wake in time. On a busy host the kernel lets the running process finish its slice of
 * 3 ms before it wakes another of the same class, whatever their nice values (figures in docs/decisions/0008-generator-priority.md).
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Moves all threads of a process to the lowest real-time priority (Linux, `chrt`).
 * @returns whether the system allowed it: to root and holders of `CAP_SYS_NICE`, and within `ulimit -r`
 */
export async function giveRealTimePriority(pid: number): Promise<boolean> {
  try {
    await promisify(execFile)('chrt', ['--rr', '--all-tasks', '--pid', '1', String(pid)], { timeout: 5000 });
    return true;
  } catch {
    return false;
  }
}

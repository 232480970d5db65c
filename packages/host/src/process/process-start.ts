/** When a process started, as text that only equals itself: with the process id it names one process for good. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { readProcessStat } from './process-stat.ts';

/** Undefined when no such process runs. */
export async function processStartTime(pid: number): Promise<string | undefined> {
  const stat = readProcessStat(pid);
  if (stat) return stat.state === 'Z' ? undefined : stat.startTicks;
  // A Linux host has shown that there is none.
  return readProcessStat('self') ? undefined : startTimeFromPs(pid);
}

/** For systems without /proc. */
async function startTimeFromPs(pid: number): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)]);
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}

/** When a process started, as text that only equals itself: with the process id it names one process for good. */
import { programOutput } from '../child/program-output.ts';
import { readProcessStat } from './process-stat.ts';

/** Undefined when no such process runs. */
export async function processStartTime(pid: number): Promise<string | undefined> {
  const stat = readProcessStat(pid);
  if (stat) return stat.state === 'Z' ? undefined : stat.startTicks;
  // A Linux host has shown that there is none.
  if (readProcessStat('self')) return undefined;
  // Systems without /proc.
  return (await programOutput('ps', ['-o', 'lstart=', '-p', String(pid)]))?.trim() || undefined;
}

/**
 * Whether a process runs that was seen before.
 * @param start what `processStartTime` returned for it then; null where the system did not know
 */
export async function isRunning(pid: number, start: string | null): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // It runs, as another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return start === null || start === (await processStartTime(pid));
}

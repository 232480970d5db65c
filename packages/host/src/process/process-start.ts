/** The start of a process as an opaque text. Together with the process id it identifies one process for good. */
import { programOutput } from '../child/program-output.ts';
import { readProcessStat } from './process-stat.ts';

/** Undefined when no such process runs. */
export async function processStartTime(pid: number): Promise<string | undefined> {
  const stat = readProcessStat(pid);
  if (stat) return stat.state === 'Z' ? undefined : stat.startTicks;
  // On a Linux host the missing file is proof.
  if (readProcessStat('self')) return undefined;
  // Systems without /proc.
  return (await programOutput('ps', ['-o', 'lstart=', '-p', String(pid)]))?.trim() || undefined;
}

/**
 * Whether a process that was seen before still runs.
 * @param start earlier result of `processStartTime`; null where the system had none
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

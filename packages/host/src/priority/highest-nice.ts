/** The highest priority of ordinary processes: nice −20, for the process and for its session. */
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

const highest = -20;

/**
 * Gives a process precedence over others wherever they compete for the processor (Linux).
 * @returns whether the system allowed it: to root and holders of `CAP_SYS_NICE`
 */
export function giveHighestNice(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    setPriority(pid, highest);
    giveHighestToSession(pid);
    return true;
  } catch {
    return false;
  }
}

/** When the kernel schedules by session, only the value of the session counts. */
function giveHighestToSession(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(highest));
  } catch (error) {
    // A kernel without session groups has no such file and uses the value of the process.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

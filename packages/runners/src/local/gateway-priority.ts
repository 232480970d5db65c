/**
 * The gateway takes every round-trip time, and a time that it takes late is too short: a request waits unseen in the queue of
 * connections until the gateway is given the processor. Beside a hundred processes that never is soon enough, so the gateway
 * goes before them (figures in docs/decisions/0014-gateway-priority.md).
 */
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

const first = -20;

/**
 * Lets a role go before the others wherever they compete for the processor (Linux).
 * @returns whether the system allowed it: to root and holders of `CAP_SYS_NICE`
 */
export function goFirst(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    setPriority(pid, first);
    preferSession(pid);
    return true;
  } catch {
    return false;
  }
}

/** Every role is a session of its own, and where the kernel shares out time by session, only the session's value counts. */
function preferSession(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(first));
  } catch (error) {
    // A kernel without groups by session has no such file, and goes by the process.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** What this process may use of the machine. */
import { readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';

/** In a container or under taskset fewer than the machine has. */
export function usableCores(): number {
  return availableParallelism();
}

/** Memory of the machine, or of the control group where that is less. */
export function usableMemoryBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/** Max files and sockets open at once; +∞ without a limit, undefined where the system has no /proc. */
export function maxOpenFiles(): number | undefined {
  try {
    const limit = /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return limit === 'unlimited' ? Number.POSITIVE_INFINITY : limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}

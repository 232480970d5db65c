/** Resources of the machine that this process may use. */
import { readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';

/** Fewer than the machine has in a container or under taskset. */
export function usableCores(): number {
  return availableParallelism();
}

/** Memory of the machine, or of the control group if that is less. */
export function usableMemoryBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/** Max open files and sockets; +∞ without a limit, undefined on systems without /proc. */
export function maxOpenFiles(): number | undefined {
  try {
    const limit = /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return limit === 'unlimited' ? Number.POSITIVE_INFINITY : limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}

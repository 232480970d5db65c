/** Memory of a process that its `/proc/<pid>/stat` does not hold. */
import { readFileSync } from 'node:fs';

/**
 * Proportional set size: pages that processes share are counted in parts. Takes a millisecond or more.
 * @returns undefined when the process has ended or the system does not tell
 */
export function readPssBytes(pid: number): number | undefined {
  return kibibytes(`/proc/${pid}/smaps_rollup`, 'Pss');
}

/** Memory of the host in use: what is neither free nor could be freed at once. Undefined where the system does not tell. */
export function readUsedMemoryBytes(): number | undefined {
  const [total, available] = [kibibytes('/proc/meminfo', 'MemTotal'), kibibytes('/proc/meminfo', 'MemAvailable')];
  return total === undefined || available === undefined ? undefined : total - available;
}

/** The line `<name>: 1234 kB` of a file, in bytes. */
function kibibytes(path: string, name: string): number | undefined {
  try {
    const value = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(path, 'utf8'))?.[1];
    return value === undefined ? undefined : Number(value) * 1024;
  } catch {
    return undefined;
  }
}

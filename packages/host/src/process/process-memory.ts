/** Memory figures of a process that `/proc/<pid>/stat` lacks. */
import { readFileSync } from 'node:fs';

/**
 * Proportional set size: shared pages count in parts. Takes a millisecond or more.
 * @returns undefined when the process has ended or the system has no such figure
 */
export function readPssBytes(pid: number): number | undefined {
  return kibibytes(`/proc/${pid}/smaps_rollup`, 'Pss');
}

/** As `readPssBytes`, of this process. Undefined where the system has no such figure. */
export function readOwnPssBytes(): number | undefined {
  return kibibytes('/proc/self/smaps_rollup', 'Pss');
}

/**
 * Max resident set size of this process so far. Linux adds the size of the parent at the start to `maxRSS`, since the
 * child shares its memory until it loads its own program; the figure of the kernel's memory descriptor is its own.
 */
export function readOwnPeakRssBytes(): number {
  return kibibytes('/proc/self/status', 'VmHWM') ?? process.resourceUsage().maxRSS * 1024;
}

/** Memory in use of the host: neither free nor reclaimable at once. Undefined where the system has no such figure. */
export function readUsedMemoryBytes(): number | undefined {
  const [total, available] = [kibibytes('/proc/meminfo', 'MemTotal'), kibibytes('/proc/meminfo', 'MemAvailable')];
  return total === undefined || available === undefined ? undefined : total - available;
}

/** The value of a line `<name>: 1234 kB` of a file, in bytes. */
function kibibytes(path: string, name: string): number | undefined {
  try {
    const value = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(path, 'utf8'))?.[1];
    return value === undefined ? undefined : Number(value) * 1024;
  } catch {
    return undefined;
  }
}

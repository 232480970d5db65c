/** CPU and memory of a process by its id, from Linux's /proc; what another system does not tell is absent, never 0. */
import { readFileSync } from 'node:fs';

export interface ProcessUse {
  /** User and system time since its start, in steps of 10 ms. */
  cpuUs?: number;
  rssBytes?: number;
  /** Proportional set size: shared pages are counted in parts. */
  pssBytes?: number;
}

/** Ticks of /proc/<pid>/stat per second: USER_HZ, which is 100 on every architecture that Node.js runs on. */
const ticksPerSecond = 100;

/** @returns undefined when the process is gone or the system has no /proc */
export function readProcessUse(pid: number): ProcessUse | undefined {
  const stat = read(pid, 'stat');
  if (stat === undefined) return undefined;
  // The name, in parentheses, may hold spaces. utime and stime are fields 14 and 15 (proc_pid_stat(5)).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  const rssBytes = kibibytes(read(pid, 'status'), 'VmRSS');
  const pssBytes = kibibytes(read(pid, 'smaps_rollup'), 'Pss');
  return {
    cpuUs: (ticks * 1e6) / ticksPerSecond,
    ...(rssBytes === undefined ? {} : { rssBytes }),
    ...(pssBytes === undefined ? {} : { pssBytes }),
  };
}

function read(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}

/** The line `<name>: 1234 kB`, in bytes. */
function kibibytes(text: string | undefined, name: string): number | undefined {
  const value = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text ?? '')?.[1];
  return value === undefined ? undefined : Number(value) * 1024;
}

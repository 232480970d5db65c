/** The one parser of `/proc/<pid>/stat`: parent, group, CPU time, start and memory of a process on Linux. */
import { readdirSync, readFileSync } from 'node:fs';
import { kernelUnits } from './kernel-units.ts';

export interface ProcessStat {
  pid: number;
  /** `Z` is a zombie: ended, and not yet waited for by its parent. */
  state: string;
  parent: number;
  group: number;
  session: number;
  /**
   * User and system time of its threads since the start, ended ones included; in steps of a tick, 10 ms on most hosts.
   */
  cpuUs: number;
  /** System time of them: in the kernel. */
  systemUs: number;
  /** User and system time of children that ended and were waited for. */
  childrenCpuUs: number;
  childrenSystemUs: number;
  /** Ticks from the boot of the host to the start. With the pid it identifies one process for good. */
  startTicks: string;
  rssBytes: number;
}

/** @returns undefined when there is no such process, or the system has no /proc */
export function readProcessStat(pid: number | 'self'): ProcessStat | undefined {
  try {
    return parseProcessStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return undefined;
  }
}

/** All processes of the host; empty where the system has no /proc. */
export function readAllProcessStats(): ProcessStat[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => readProcessStat(Number(name)) ?? []);
  } catch {
    return [];
  }
}

/** Numbers of fields are those of proc_pid_stat(5), which counts from 1. */
export function parseProcessStat(text: string): ProcessStat {
  const { pageBytes, ticksPerSecond } = kernelUnits();
  // The second field is the name of the program in parentheses; the name may contain spaces and parentheses.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const field = (number: number): string => fields[number - 3] as string;
  const microseconds = (...numbers: number[]): number =>
    (numbers.reduce((sum, number) => sum + Number(field(number)), 0) * 1e6) / ticksPerSecond;
  return {
    pid: Number.parseInt(text, 10),
    state: field(3),
    parent: Number(field(4)),
    group: Number(field(5)),
    session: Number(field(6)),
    cpuUs: microseconds(14, 15),
    systemUs: microseconds(15),
    childrenCpuUs: microseconds(16, 17),
    childrenSystemUs: microseconds(17),
    startTicks: field(22),
    rssBytes: Number(field(24)) * pageBytes,
  };
}

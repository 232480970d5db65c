/**
 * Resource use of a process since its start: CPU time in ns, and waits for a processor. By thread where Linux's
 * scheduler has such figures.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { readProcessStat } from './process-stat.ts';

export interface ThreadUsage {
  cpuUs: number;
  /** Time as runnable while another thread used the processor. */
  waitUs: number;
  /** Number of times it got a processor. */
  slices: number;
}

export interface ProcessUsage {
  /** CPU time of all threads, ended ones included. Exact while no thread ends, otherwise in steps of a tick. */
  cpuUs: number;
  rssBytes: number;
  /** System time of them, in steps of a tick; the rest is user time. Absent where only the sum is known. */
  systemUs?: number;
  /** Absent where the kernel has no such figures. */
  mainThread?: ThreadUsage;
  /** Waits and slices of threads that still run. */
  otherThreads?: ThreadUsage;
}

/** @returns undefined when the process has ended or the system has no such figures */
export function readProcessUsage(pid: number): ProcessUsage | undefined {
  const stat = readProcessStat(pid);
  if (!stat) return undefined;
  const threads = readThreads(pid);
  const { cpuUs: ticksUs, rssBytes, systemUs } = stat;
  const mainThread = threads.get(pid);
  if (!mainThread) return { cpuUs: ticksUs, rssBytes, systemUs };
  const others = [...threads].filter(([thread]) => thread !== pid).map(([, usage]) => usage);
  const sum = (of: (usage: ThreadUsage) => number): number => others.reduce((total, usage) => total + of(usage), 0);
  // Ticks are rounded down: more ticks than the threads' own time means that a thread ended.
  const cpuUs = Math.max(ticksUs, mainThread.cpuUs + sum((usage) => usage.cpuUs));
  const otherThreads = {
    cpuUs: cpuUs - mainThread.cpuUs,
    waitUs: sum(({ waitUs }) => waitUs),
    slices: sum(({ slices }) => slices),
  };
  return { cpuUs, rssBytes, systemUs, mainThread, otherThreads };
}

/** Sum over several processes. */
export interface GroupUsage extends ProcessUsage {
  processes: number;
}

/** Sums; system time, waits and slices are absent when those of one process are. Undefined for no processes. */
export function sumUsage(usages: readonly ProcessUsage[]): GroupUsage | undefined {
  if (usages.length === 0) return undefined;
  const sum = (of: (usage: ProcessUsage) => number): number => usages.reduce((total, usage) => total + of(usage), 0);
  return {
    processes: usages.length,
    cpuUs: sum(({ cpuUs }) => cpuUs),
    rssBytes: sum(({ rssBytes }) => rssBytes),
    ...(usages.every(({ systemUs }) => systemUs !== undefined) && { systemUs: sum(({ systemUs = 0 }) => systemUs) }),
    ...threads('mainThread'),
    ...threads('otherThreads'),
  };

  function threads(which: 'mainThread' | 'otherThreads'): Pick<ProcessUsage, 'mainThread' | 'otherThreads'> {
    const all = usages.flatMap((usage) => usage[which] ?? []);
    if (all.length < usages.length) return {};
    return { [which]: all.reduce(plus) };
  }
}

function plus(a: ThreadUsage, b: ThreadUsage): ThreadUsage {
  return { cpuUs: a.cpuUs + b.cpuUs, waitUs: a.waitUs + b.waitUs, slices: a.slices + b.slices };
}

function readThreads(pid: number): Map<number, ThreadUsage> {
  try {
    return new Map(readdirSync(`/proc/${pid}/task`).flatMap((thread) => readThread(pid, Number(thread))));
  } catch {
    return new Map();
  }
}

/** `<ns on a processor> <ns waiting> <slices>` (Linux, Documentation/scheduler/sched-stats.rst). */
function readThread(pid: number, thread: number): [number, ThreadUsage][] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8');
    const [cpuNs = 0, waitNs = 0, slices = 0] = text.trim().split(' ').map(Number);
    return [[thread, { cpuUs: cpuNs / 1e3, waitUs: waitNs / 1e3, slices }]];
  } catch {
    // It ended between the listing and the reading.
    return [];
  }
}

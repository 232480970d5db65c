/**
 * Usage of groups of processes during a load and while idle: differences of readings. The idle cost of a process is not
 * a cost of requests. Its share grows with lower rates and more processes.
 */
import type { GroupUsage, ThreadUsage, Throttling } from '@topo-bench/host';

/** By group; a group that cannot be read is absent. */
export type Usages = Readonly<Record<string, LimitedUsage>>;

export interface LimitedUsage extends GroupUsage {
  /** Throttling of the processes with a limit on CPU time; absent without any. */
  throttling?: Throttling;
}

export interface Reading {
  atMs: number;
  usages: Usages;
}

export interface ProcessUse {
  processes: number;
  windowUs: number;
  cpuUs: number;
  /** CPU time while idle, scaled to the window; absent without an idle window. */
  idleCpuUs?: number;
  /** The same as a share of the time; 100 is one core. */
  idleCpuPercent?: number;
  /** At the end of the window. */
  rssBytes: number;
  mainThread?: ThreadUsage;
  otherThreads?: ThreadUsage;
  throttling?: Throttling;
}

/**
 * @param load readings before the first request and after the last answer
 * @param idle readings around an interval without requests
 */
export function processUse(
  load: readonly [Reading, Reading],
  idle?: readonly [Reading, Reading],
): Record<string, ProcessUse> {
  const [first, last] = load;
  const windowUs = (last.atMs - first.atMs) * 1e3;
  const uses: Record<string, ProcessUse> = {};
  for (const [name, after] of Object.entries(last.usages)) {
    const before = first.usages[name];
    if (!before) continue;
    const idleShare = idle && idleShareOf(name, idle);
    uses[name] = {
      processes: after.processes,
      windowUs,
      cpuUs: Math.max(0, after.cpuUs - before.cpuUs),
      ...(idleShare !== undefined && { idleCpuUs: idleShare * windowUs, idleCpuPercent: idleShare * 100 }),
      rssBytes: after.rssBytes,
      ...(before.mainThread && after.mainThread && { mainThread: minus(after.mainThread, before.mainThread) }),
      ...(before.otherThreads &&
        after.otherThreads && { otherThreads: minus(after.otherThreads, before.otherThreads) }),
      ...(before.throttling &&
        after.throttling && { throttling: throttledBetween(before.throttling, after.throttling) }),
    };
  }
  return uses;
}

/** µs of CPU time per µs. */
function idleShareOf(name: string, [first, last]: readonly [Reading, Reading]): number | undefined {
  const [before, after] = [first.usages[name], last.usages[name]];
  if (!before || !after || last.atMs <= first.atMs) return undefined;
  return Math.max(0, after.cpuUs - before.cpuUs) / ((last.atMs - first.atMs) * 1e3);
}

function throttledBetween(before: Throttling, after: Throttling): Throttling {
  return {
    periods: after.periods - before.periods,
    throttledPeriods: after.throttledPeriods - before.throttledPeriods,
    throttledUs: after.throttledUs - before.throttledUs,
  };
}

/** Counters of ended threads are lost, so a difference may be negative: never below 0. */
function minus(after: ThreadUsage, before: ThreadUsage): ThreadUsage {
  return {
    cpuUs: Math.max(0, after.cpuUs - before.cpuUs),
    waitUs: Math.max(0, after.waitUs - before.waitUs),
    slices: Math.max(0, after.slices - before.slices),
  };
}

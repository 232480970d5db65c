/**
 * Usage of groups of processes during a load and while idle: differences of readings. The idle cost of a process is not
 * a cost of requests. Its share grows with lower rates and more processes.
 */
import type { GroupUsage, ProcessUsage, ThreadUsage, Throttling } from '@topo-bench/host';

/** By group; a group that cannot be read is absent. */
export type Usages = Readonly<Record<string, LimitedUsage>>;

export interface LimitedUsage extends GroupUsage {
  /** Throttling of the processes with a limit on CPU time; absent without any. */
  throttling?: Throttling;
  /** Usage of its members, by name of the role; absent where a group has no roles. */
  roles?: Readonly<Record<string, ProcessUsage>>;
}

export interface Reading {
  atMs: number;
  usages: Usages;
}

/** CPU time and waits between two readings. */
export interface CpuUse {
  cpuUs: number;
  /** Part of it in the kernel; absent where the host does not report it. */
  systemUs?: number;
  mainThread?: ThreadUsage;
  otherThreads?: ThreadUsage;
}

export interface ProcessUse extends CpuUse {
  processes: number;
  windowUs: number;
  /** CPU time while idle, scaled to the window; absent without an idle window. */
  idleCpuUs?: number;
  /** The same as a share of the time; 100 is one core. */
  idleCpuPercent?: number;
  /** At the end of the window. */
  rssBytes: number;
  throttling?: Throttling;
  /** By name of the role, without roles that the host cannot read. */
  roles?: Readonly<Record<string, CpuUse>>;
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
      ...cpuUse(before, after),
      ...(idleShare !== undefined && { idleCpuUs: idleShare * windowUs, idleCpuPercent: idleShare * 100 }),
      rssBytes: after.rssBytes,
      ...(before.throttling &&
        after.throttling && { throttling: throttledBetween(before.throttling, after.throttling) }),
      ...(before.roles && after.roles && { roles: roleUses(before.roles, after.roles) }),
    };
  }
  return uses;
}

function cpuUse(before: ProcessUsage, after: ProcessUsage): CpuUse {
  const cpuUs = Math.max(0, after.cpuUs - before.cpuUs);
  return {
    cpuUs,
    // System time is counted in steps of a tick, the sum is not.
    ...(before.systemUs !== undefined &&
      after.systemUs !== undefined && { systemUs: Math.min(cpuUs, Math.max(0, after.systemUs - before.systemUs)) }),
    ...(before.mainThread && after.mainThread && { mainThread: minus(after.mainThread, before.mainThread) }),
    ...(before.otherThreads && after.otherThreads && { otherThreads: minus(after.otherThreads, before.otherThreads) }),
  };
}

function roleUses(
  before: Readonly<Record<string, ProcessUsage>>,
  after: Readonly<Record<string, ProcessUsage>>,
): Record<string, CpuUse> {
  return Object.fromEntries(
    Object.entries(after).flatMap(([role, last]) => {
      const first = before[role];
      return first ? [[role, cpuUse(first, last)]] : [];
    }),
  );
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

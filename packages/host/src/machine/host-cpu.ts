/**
 * Idle and stolen CPU time of the host over a window. Without idle time, processes wait for each other and the figures
 * include that wait. Time stolen by a hypervisor for other machines appears as stalls of milliseconds. Only cores count
 * that this process may use: under `taskset` or in a CPU set, the others stay idle however long its processes wait.
 */
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type { HostShares } from '@topo-bench/core';
import type { Cgroup } from '../cgroup/cgroup.ts';
import { findCgroup } from '../cgroup/find-cgroup.ts';
import { kernelUnits } from '../process/kernel-units.ts';
import { usableCores } from './capacity.ts';

/** Running totals since boot, over a set of cores; any unit. */
export interface HostCpu {
  idle: number;
  total: number;
  /**
   * Stolen: given by the hypervisor to other machines while this one was runnable; undefined where the system has no
   * such figure.
   */
  stolen?: number;
  /**
   * CPU time of programs, without interrupts, in µs (as are all others then); undefined where the system has no such
   * figure.
   */
  programs?: number;
  /** The cores, e.g. `0-3,8`; undefined for all cores of the machine. */
  cores?: string;
  /**
   * Limit on CPU time of the control group of this process, as a share of the time of the cores, and the time that the
   * group has used, in µs. Absent without a limit.
   */
  limit?: { share: number; usedUs: number };
  /** The same over all cores of the machine, without the limit; absent where neither narrows them. */
  machine?: HostCpu;
}

/** Use of this host over a window. */
export type HostUse = HostShares;

/** Reads `/proc/stat` or its equivalent; undefined where the system has none. */
export function readHostCpu(): HostCpu | undefined {
  return procStat() ?? systemCpus();
}

/**
 * Use between two readings; undefined for identical readings, and for those of different cores.
 * @param ownCpuUs CPU time of our own processes in between: all other time of programs is foreign. Default: unknown
 */
export function hostUse(
  before: HostCpu | undefined,
  after: HostCpu | undefined,
  ownCpuUs?: number,
): HostUse | undefined {
  if (!before || !after || after.total <= before.total || after.cores !== before.cores) return undefined;
  const total = after.total - before.total;
  const percent = (spent: number, max = total): number => (100 * Math.min(max, Math.max(0, spent))) / total;
  const idle = idleBetween(before, after);
  // What we use of our limit was taken by no other program.
  const left = total - idle - total * Math.min(1, usedShareOfLimit(before, after) ?? 0);
  return {
    idlePercent: percent(idle),
    ...(before.stolen !== undefined &&
      after.stolen !== undefined && { stolenPercent: percent(after.stolen - before.stolen, left) }),
    ...(ownCpuUs !== undefined &&
      before.programs !== undefined &&
      after.programs !== undefined && { foreignPercent: percent(after.programs - before.programs - ownCpuUs, left) }),
  };
}

/** Idle time that this process and its descendants could have used: of the cores, and within the limit. */
export function idleBetween(before: HostCpu, after: HostCpu): number {
  const idle = after.idle - before.idle;
  const usedShare = usedShareOfLimit(before, after);
  return usedShare === undefined ? idle : Math.min(idle, Math.max(0, 1 - usedShare) * (after.total - before.total));
}

function usedShareOfLimit(before: HostCpu, after: HostCpu): number | undefined {
  if (!before.limit || !after.limit) return undefined;
  return (after.limit.usedUs - before.limit.usedUs) / (after.limit.share * (after.total - before.total));
}

/** The entry of `resources` of a cell; undefined without readings. */
export function hostResources(use: HostUse | undefined): { host?: HostUse & { cpuPercent: number } } {
  if (!use) return {};
  return { host: { ...use, cpuPercent: Math.max(0, 100 - use.idlePercent - (use.stolenPercent ?? 0)) } };
}

function procStat(): HostCpu | undefined {
  try {
    const { group, cpus: limit } = limitedGroup();
    const usedUs = group?.usage().cpuUs;
    return hostCpuOf(readFileSync('/proc/stat', 'utf8'), {
      allowed: /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1],
      usable: usableCores(),
      ...(limit !== undefined && usedUs !== undefined && { limit: { cpus: limit, usedUs } }),
    });
  } catch {
    return undefined;
  }
}

/** Cores that a process may use, and its limit on CPU time. */
export interface AllowedCpu {
  /** Core numbers, e.g. `0-3,8` (cpuset(7)); may name cores that do not exist. Undefined: all. */
  allowed: string | undefined;
  /** Number of cores that it can run on. */
  usable: number;
  limit?: { cpus: number; usedUs: number };
}

/** @param stat text of `/proc/stat` */
export function hostCpuOf(stat: string, { allowed, usable, limit }: AllowedCpu): HostCpu {
  const lines = stat.split('\n').filter((line) => line.startsWith('cpu'));
  const machine = timesOf(lines[0] as string);
  const perCore = lines.slice(1);
  const own = perCore.filter((line) => allowed === undefined || isIn(allowed, Number.parseInt(line.slice(3), 10)));
  // Some containers number their cores from 0 in one of the two files only.
  const isNarrowed = own.length < perCore.length && own.length > 0 && own.length >= usable;
  const counted = isNarrowed ? own : perCore;
  if (!isNarrowed && !limit) return machine;
  return {
    ...(isNarrowed ? own.map(timesOf).reduce(plus) : machine),
    ...(isNarrowed && allowed !== undefined && { cores: allowed }),
    ...(limit && { limit: { share: limit.cpus / counted.length, usedUs: limit.usedUs } }),
    machine,
  };
}

type Times = Required<Pick<HostCpu, 'idle' | 'total' | 'stolen' | 'programs'>>;

/**
 * `cpu user nice system idle iowait irq softirq steal guest guest_nice`, in total or by core; guest time is part of
 * user time (proc_stat(5)).
 */
function timesOf(line: string): Times {
  const usPerTick = 1e6 / kernelUnits().ticksPerSecond;
  const [user = 0, nice = 0, system = 0, idle = 0, ioWait = 0, irq = 0, softIrq = 0, steal = 0] = line
    .trim()
    .split(/\s+/)
    .slice(1)
    .map((ticks) => Number(ticks) * usPerTick);
  const programs = user + nice + system;
  return { idle: idle + ioWait, total: programs + idle + ioWait + irq + softIrq + steal, stolen: steal, programs };
}

function plus(a: Times, b: Times): Times {
  return {
    idle: a.idle + b.idle,
    total: a.total + b.total,
    stolen: a.stolen + b.stolen,
    programs: a.programs + b.programs,
  };
}

function isIn(list: string, core: number): boolean {
  return list.split(',').some((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return core >= first && core <= last;
  });
}

let limited: { group?: Cgroup; cpus?: number } | undefined;

/** The control group of this process, if it has a limit on CPU time; searched once. */
function limitedGroup(): { group?: Cgroup; cpus?: number } {
  if (!limited) {
    const group = findCgroup('self');
    const { cpus } = group?.limits() ?? {};
    limited = group && cpus !== undefined ? { group, cpus } : {};
  }
  return limited;
}

function systemCpus(): HostCpu | undefined {
  const times = cpus().map((cpu) => cpu.times);
  const idle = times.reduce((sum, cpu) => sum + cpu.idle, 0);
  const total = times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0);
  return total > 0 ? { idle, total } : undefined;
}

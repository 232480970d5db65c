/**
 * Idle and stolen CPU time of the host over a window. Without idle time, processes wait for each other and the figures
 * include that wait. Time stolen by a hypervisor for other machines appears as stalls of milliseconds.
 */
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type { HostShares } from '@topo-bench/core';
import { kernelUnits } from '../process/kernel-units.ts';

/** Running totals since boot, over all cores; any unit. */
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
}

/** Use of this host over a window. */
export type HostUse = HostShares;

/** Reads `/proc/stat` or its equivalent; undefined where the system has none. */
export function readHostCpu(): HostCpu | undefined {
  return procStat() ?? systemCpus();
}

/**
 * Use between two readings; undefined for identical readings.
 * @param ownCpuUs CPU time of our own processes in between: all other time of programs is foreign. Default: unknown
 */
export function hostUse(
  before: HostCpu | undefined,
  after: HostCpu | undefined,
  ownCpuUs?: number,
): HostUse | undefined {
  if (!before || !after || after.total <= before.total) return undefined;
  const percent = (spent: number): number => 100 * Math.min(1, Math.max(0, spent / (after.total - before.total)));
  return {
    idlePercent: percent(after.idle - before.idle),
    ...(before.stolen !== undefined &&
      after.stolen !== undefined && { stolenPercent: percent(after.stolen - before.stolen) }),
    ...(ownCpuUs !== undefined &&
      before.programs !== undefined &&
      after.programs !== undefined && { foreignPercent: percent(after.programs - before.programs - ownCpuUs) }),
  };
}

/** The entry of `resources` of a cell; undefined without readings. */
export function hostResources(use: HostUse | undefined): { host?: HostUse & { cpuPercent: number } } {
  if (!use) return {};
  return { host: { ...use, cpuPercent: Math.max(0, 100 - use.idlePercent - (use.stolenPercent ?? 0)) } };
}

/**
 * `cpu user nice system idle iowait irq softirq steal guest guest_nice`; guest time is part of user time
 * (proc_stat(5)).
 */
function procStat(): HostCpu | undefined {
  try {
    const [, ...fields] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] as string).trim().split(/\s+/);
    const usPerTick = 1e6 / kernelUnits().ticksPerSecond;
    const [user = 0, nice = 0, system = 0, idle = 0, ioWait = 0, irq = 0, softIrq = 0, steal = 0] = fields.map(
      (ticks) => Number(ticks) * usPerTick,
    );
    const programs = user + nice + system;
    return { idle: idle + ioWait, total: programs + idle + ioWait + irq + softIrq + steal, stolen: steal, programs };
  } catch {
    return undefined;
  }
}

function systemCpus(): HostCpu | undefined {
  const times = cpus().map((cpu) => cpu.times);
  const idle = times.reduce((sum, cpu) => sum + cpu.idle, 0);
  const total = times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0);
  return total > 0 ? { idle, total } : undefined;
}

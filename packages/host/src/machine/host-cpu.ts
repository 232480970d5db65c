/**
 * How idle the host was over a window, and how much of it was not there: when nothing is left, processes are measured waiting for
 * each other; what a hypervisor gives to other machines meanwhile is missing in stalls of milliseconds.
 */
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { kernelUnits } from '../process/kernel-units.ts';

/** Running totals since boot, over all cores; any unit. */
export interface HostCpu {
  idle: number;
  total: number;
  /** Given by the hypervisor to other machines while this one wanted to run; undefined where the system does not tell. */
  stolen?: number;
  /** Time of programs, without that of interrupts, in µs as all others are then; undefined where the system does not tell. */
  programs?: number;
}

/** Shares of the time of all cores, in percent. */
export interface HostUse {
  idlePercent: number;
  /** Absent where the system does not tell; 0 on a machine of its own. */
  stolenPercent?: number;
  /** Of programs other than our own; absent where the system or the caller cannot tell them apart. */
  foreignPercent?: number;
  /** Memory in use at the end, that of other programs included; absent where the system does not tell. */
  rssBytes?: number;
}

/** Reads `/proc/stat`, or what the system offers instead; undefined where nothing is told. */
export function readHostCpu(): HostCpu | undefined {
  return procStat() ?? systemCpus();
}

/**
 * Between two readings; undefined when it cannot be told.
 * @param ownCpuUs CPU time of our own processes meanwhile: all other time of programs is foreign. Left out: unknown
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

/** The entry of `resources` of a cell; none when nothing is told. */
export function hostResources(use: HostUse | undefined): { host?: HostUse & { cpuPercent: number } } {
  if (!use) return {};
  return { host: { ...use, cpuPercent: Math.max(0, 100 - use.idlePercent - (use.stolenPercent ?? 0)) } };
}

/** `cpu user nice system idle iowait irq softirq steal guest guest_nice`; guest time is part of user time (proc_stat(5)). */
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

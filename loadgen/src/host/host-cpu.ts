/** How idle the host was over a window: when nothing is left, processes are measured waiting for each other. */
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** Running totals since boot, over all cores; any unit. */
export interface HostCpu {
  idle: number;
  total: number;
}

/** Reads `/proc/stat`, or what the system offers instead; undefined where nothing is told. */
export function readHostCpu(): HostCpu | undefined {
  return procStat() ?? systemCpus();
}

/** Idle share of all cores between two readings in percent; undefined when it cannot be told. */
export function idlePercent(before: HostCpu | undefined, after: HostCpu | undefined): number | undefined {
  if (!before || !after || after.total <= before.total) return undefined;
  const share = (after.idle - before.idle) / (after.total - before.total);
  return 100 * Math.min(1, Math.max(0, share));
}

/** `cpu user nice system idle iowait irq softirq steal guest guest_nice`; guest time is part of user time (proc_stat(5)). */
function procStat(): HostCpu | undefined {
  try {
    const [, ...fields] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] as string).trim().split(/\s+/);
    const [user = 0, nice = 0, system = 0, idle = 0, ioWait = 0, irq = 0, softIrq = 0, steal = 0] = fields.map(Number);
    return { idle: idle + ioWait, total: user + nice + system + idle + ioWait + irq + softIrq + steal };
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

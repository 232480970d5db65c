/** Control groups of version 1: one hierarchy per controller (Linux, Documentation/admin-guide/cgroup-v1). */
import type { Cgroup, CgroupLimits, CgroupUsage } from './cgroup.ts';
import { known, readNumber, readTable } from './cgroup-files.ts';

/** Folders of the group, by controller; undefined for controllers that are off. */
export interface ControllerFolders {
  cpu: string | undefined;
  cpuacct: string | undefined;
  memory: string | undefined;
}

/** "No limit" is written as the highest multiple of a page below 2^63. */
const unlimitedBytes = 2 ** 62;

export function cgroupVersion1(path: string, { cpu, cpuacct, memory }: ControllerFolders): Cgroup {
  return { path, usage, limits };

  function usage(): CgroupUsage {
    const cpuNs = readNumber(cpuacct, 'cpuacct.usage');
    const memoryBytes = readNumber(memory, 'memory.usage_in_bytes');
    const inactive = readTable(memory, 'memory.stat').get('total_inactive_file') ?? 0;
    const stat = readTable(cpu, 'cpu.stat');
    const throttledPeriods = stat.get('nr_throttled');
    return known<CgroupUsage>({
      cpuUs: cpuNs === undefined ? undefined : cpuNs / 1e3,
      memoryBytes,
      workingSetBytes: memoryBytes === undefined ? undefined : Math.max(0, memoryBytes - inactive),
      throttling:
        throttledPeriods === undefined
          ? undefined
          : {
              periods: stat.get('nr_periods') ?? 0,
              throttledPeriods,
              throttledUs: (stat.get('throttled_time') ?? 0) / 1e3,
            },
    });
  }

  function limits(): CgroupLimits {
    const quotaUs = readNumber(cpu, 'cpu.cfs_quota_us') ?? -1;
    const periodUs = readNumber(cpu, 'cpu.cfs_period_us');
    const memoryBytes = readNumber(memory, 'memory.limit_in_bytes');
    return known<CgroupLimits>({
      cpus: quotaUs > 0 && periodUs ? quotaUs / periodUs : undefined,
      memoryBytes: memoryBytes !== undefined && memoryBytes < unlimitedBytes ? memoryBytes : undefined,
    });
  }
}

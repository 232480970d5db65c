/** Control groups of version 2: one hierarchy for all controllers (Linux, Documentation/admin-guide/cgroup-v2.rst). */
import type { Cgroup, CgroupLimits, CgroupUsage } from './cgroup.ts';
import { known, readNumber, readTable, readText } from './cgroup-files.ts';

/** @param folder of the group; the root of the hierarchy has none of the files */
export function cgroupVersion2(path: string, folder: string): Cgroup {
  return { path, usage, limits };

  function usage(): CgroupUsage {
    const stat = readTable(folder, 'cpu.stat');
    const memoryBytes = readNumber(folder, 'memory.current');
    const inactive = readTable(folder, 'memory.stat').get('inactive_file') ?? 0;
    const throttledPeriods = stat.get('nr_throttled');
    return known<CgroupUsage>({
      cpuUs: stat.get('usage_usec'),
      memoryBytes,
      workingSetBytes: memoryBytes === undefined ? undefined : Math.max(0, memoryBytes - inactive),
      throttling:
        throttledPeriods === undefined
          ? undefined
          : { periods: stat.get('nr_periods') ?? 0, throttledPeriods, throttledUs: stat.get('throttled_usec') ?? 0 },
    });
  }

  function limits(): CgroupLimits {
    // `max 100000`, or quota and period in µs.
    const [quotaUs, periodUs] = (readText(folder, 'cpu.max') ?? 'max').split(' ');
    return known<CgroupLimits>({
      cpus: quotaUs === 'max' ? undefined : Number(quotaUs) / Number(periodUs),
      // `max` is not a number.
      memoryBytes: readNumber(folder, 'memory.max'),
    });
  }
}

/** The port of control groups: resource use and limits of the processes of a container. */
export interface CgroupUsage {
  /** CPU time since the creation of the group, ended children included. Absent when the controller is off. */
  cpuUs?: number;
  /** Memory charged to the group, page cache included. Absent when the controller is off. */
  memoryBytes?: number;
  /**
   * Charged memory less page cache that the kernel can drop at once: the figure of `docker stats` and of the kubelet.
   */
  workingSetBytes?: number;
  throttling?: Throttling;
}

/** Figures since the creation of the group. All 0 without a limit on CPU time. */
export interface Throttling {
  /** Periods with runnable threads. */
  periods: number;
  /** Periods in which the group exhausted its quota (`nr_throttled`). */
  throttledPeriods: number;
  /** Time that its threads waited for the next period, summed over processors. */
  throttledUs: number;
}

/** Limits of the group itself; an ancestor may have lower ones. */
export interface CgroupLimits {
  /** CPU time per time: 1.5 is one and a half processors. Absent without a limit. */
  cpus?: number;
  /** Absent without a limit. */
  memoryBytes?: number;
}

/** Sums over control groups; undefined for none. */
export function sumThrottling(all: readonly Throttling[]): Throttling | undefined {
  if (all.length === 0) return undefined;
  const sum = (of: (one: Throttling) => number): number => all.reduce((total, one) => total + of(one), 0);
  return {
    periods: sum(({ periods }) => periods),
    throttledPeriods: sum(({ throttledPeriods }) => throttledPeriods),
    throttledUs: sum(({ throttledUs }) => throttledUs),
  };
}

export interface Cgroup {
  /** Path as in `/proc/<pid>/cgroup`. */
  readonly path: string;
  usage(): CgroupUsage;
  limits(): CgroupLimits;
}

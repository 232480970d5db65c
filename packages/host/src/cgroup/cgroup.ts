/** The port of control groups: what the processes of a container use, and how much they may. */

export interface CgroupUsage {
  /** Since the group was made, children that have ended included. Absent where the controller is off. */
  cpuUs?: number;
  /** Charged to the group, page cache included. Absent where the controller is off. */
  memoryBytes?: number;
  /** Charged memory less page cache that the kernel can drop at once: the figure of `docker stats` and of the kubelet. */
  workingSetBytes?: number;
  throttling?: Throttling;
}

/** Since the group was made. All 0 without a limit on CPU time. */
export interface Throttling {
  /** Periods in which the group had work. */
  periods: number;
  /** Periods in which it used up its quota (`nr_throttled`). */
  throttledPeriods: number;
  /** Time in which its threads waited for the next period, summed over processors. */
  throttledUs: number;
}

/** Of the group itself; an ancestor may allow less. */
export interface CgroupLimits {
  /** CPU time per time: 1.5 is one and a half processors. Absent without a limit. */
  cpus?: number;
  /** Absent without a limit. */
  memoryBytes?: number;
}

export interface Cgroup {
  /** As `/proc/<pid>/cgroup` names it. */
  readonly path: string;
  usage(): CgroupUsage;
  limits(): CgroupLimits;
}

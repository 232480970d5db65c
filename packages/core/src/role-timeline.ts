/**
 * What a process records about itself while a load runs: use of the processor and of its event loop by interval, and
 * its pauses with their times. It is read after the load.
 */

/** Consecutive intervals of a process; one element per interval. Times and durations are in µs. */
export interface ProcessIntervals {
  /** Start of the first interval. */
  startUs: number;
  endUs: number[];
  /** CPU time of all threads. */
  cpuUs: number[];
  /** Time in which the event loop did not wait for events. */
  busyUs: number[];
  /** Max delay of a timer: how long an event had to wait for its turn. Absent where no timer measures it. */
  delayUs?: number[];
  /** Time that a limit on CPU time stopped its threads; absent without a limit. */
  throttledUs?: number[];
}

/**
 * `minor-collection` and `major-collection`: pauses of the main thread for a garbage collection. Others: the event loop
 * could not take an event. The main thread was `busy`; or it was `waiting` for a processor; or it was `stopped` and not
 * runnable. `delayed`: the system does not report which.
 */
export type TimelineEventKind = 'minor-collection' | 'major-collection' | 'busy' | 'waiting' | 'stopped' | 'delayed';

export interface TimelineEvent {
  kind: TimelineEventKind;
  startUs: number;
  /**
   * Stalls: at least so long. Not recorded are collections below 1 ms, and stalls below 5 ms. A process that gets
   * requests notices each stall of 50 ms and each wait for a processor; others if they delay a timer.
   */
  durationUs: number;
  /** The event lies somewhere in so much time after `startUs`. Default: `durationUs`. */
  withinUs?: number;
}

export interface ProcessTimeline extends ProcessIntervals {
  /** In the order in which they were noticed; the shortest are lost after a thousand. */
  events: TimelineEvent[];
}

/** A reading of the clock of a host. */
export interface HostClockReading {
  nowUs: number;
  /** Bound on the error of the reading itself. */
  errorUs: number;
  /** Readings with equal names are of the same clock. */
  clock: string;
}

/** As a role answers it, on the clock of its host. */
export interface OwnRoleTimeline extends ProcessTimeline {
  name: string;
  /** Kind of the role; `carrier` next to a user-supplied service, which has no timeline. */
  kind: string;
  reading: HostClockReading;
}

/** On the clock of the host that asked. */
export interface RoleTimeline extends ProcessTimeline {
  name: string;
  kind: string;
  /** Whether its host is the one that asked. */
  isHere: boolean;
  /** Bound on the error of the alignment of clocks. */
  clockErrorUs: number;
}

/** Processors of a host over the same kind of intervals: time of all cores that may be used. */
export interface HostIntervals {
  startUs: number;
  endUs: number[];
  /** Time that cores were not idle, without stolen time. */
  busyUs: number[];
  totalUs: number[];
  /** CPU time of programs; absent where the system has no such figure. */
  programsUs?: number[];
  /** CPU time of the process that measures. */
  ownUs: number[];
}

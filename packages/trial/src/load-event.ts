/**
 * Events on the clock of a load: changes of rules, crashes, freezes, partitions. Times are µs since the begin of the
 * load, the origin of the intended send times. Cells that take turns share one load, and so one clock.
 */

export interface PlannedEvent {
  /** At least 0, and less than the duration of the load. */
  atUs: number;
  /** For records and messages, e.g. `crash router-1`. */
  name: string;
}

export interface LoadEvent extends PlannedEvent {
  /**
   * Called at most once, never before `atUs` and never after the end of the load.
   * @param signal aborts when no request can see the effect any more: the drain has ended, or the run is aborted
   * @returns resolves when the event has taken effect; rejects when it cannot
   */
  apply(signal: AbortSignal): Promise<void>;
}

export type LoadEventOutcome =
  | { outcome: 'effective'; requestedUs: number; effectiveUs: number }
  | { outcome: 'failed'; requestedUs: number; failedUs: number; error: Error }
  /** It had neither taken effect nor failed at the end of the drain. */
  | { outcome: 'unfinished'; requestedUs: number }
  /** Not requested: the load ended before its time, or the process that applies events was busy until then. */
  | { outcome: 'skipped' };

export type LoadEventRecord = PlannedEvent & LoadEventOutcome;

/** The port of load drivers: a job in, raw samples out. `open`, `autocannon` and `flight` implement it. */
import type { DriverName } from '@topo-bench/core/schema/experiment';
import type { LoadJob } from './load-job.ts';
import type { LoadResult } from './load-result.ts';

/** Calls at moments of the load, for those who measure the system meanwhile. */
export interface LoadObserver {
  /** Everything is prepared; the load starts when this has settled. */
  onReady?: () => Promise<void>;
  /** The first request may leave now. */
  onStart?: () => void;
  /** The load is over, the drain begins. */
  onLoadEnd?: () => void;
  /** Every request has been answered or given up, or the bound of the drain is reached; the results are still to be collected. */
  onDrained?: () => void;
}

export interface Driver {
  readonly name: DriverName;
  /**
   * Drives the load and resolves when the drain has ended.
   * @param signal aborts: generator processes end, and the promise rejects with the signal's reason
   * @throws TopoBenchError `TB_LOAD_URL`, `TB_USAGE`, `TB_LOAD_OUT_OF_RANGE` (bad job), `TB_LOAD_UNREACHABLE` (nothing
   *   listens at the URL), `TB_LOAD_GENERATOR_DIED`
   */
  run(job: LoadJob, signal?: AbortSignal, observer?: LoadObserver): Promise<LoadResult>;
}

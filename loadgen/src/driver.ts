/** The port of load drivers: takes a job, returns raw samples. */
import type { DriverName } from '@topo-bench/core/schema/experiment';
import type { PreparedShard, Shard } from './generator/messages.ts';
import type { PartProgress } from './live/progress.ts';
import type { LoadJob } from './load-job.ts';
import type { LoadResult } from './load-result.ts';

/** Callbacks at phases of the load, for measurements of the system under test. */
export interface LoadObserver {
  /** All generators are prepared. The load starts when the returned promise has resolved. */
  onReady?: () => Promise<void>;
  /**
   * Called just before the first request.
   * @param startAtUs begin of the load, on the clock of this host: origin of the intended send times
   */
  onStart?: (startAtUs: number) => void;
  /** Called by every generator process in the intervals that the job states. */
  onProgress?: (part: PartProgress) => void;
  /** Called at the end of the load, when the drain begins. */
  onLoadEnd?: () => void;
  /**
   * Called at the end of the drain: no request is in flight, or the bound of the drain is reached. Results are
   * collected afterwards.
   */
  onDrained?: () => void;
}

export interface Driver {
  readonly name: DriverName;
  /**
   * Drives the load and resolves when the drain has ended.
   * @param signal aborts: generators end, and the promise rejects with the signal's reason
   * @throws TopoBenchError `TB_LOAD_URL`, `TB_USAGE`, `TB_LOAD_OUT_OF_RANGE` (bad job), `TB_LOAD_UNREACHABLE` (nothing
   *   listens at the URL), `TB_LOAD_GENERATOR_DIED`
   */
  run(job: LoadJob, signal?: AbortSignal, observer?: LoadObserver): Promise<LoadResult>;
}

/** The properties in which drivers differ. */
export interface DriverDefinition {
  description: string;
  /** Number of generators for a job. */
  parts(job: LoadJob): number;
  /** Whether requests have intended send times: then generators get priority and cores are kept awake. */
  keepsTime: boolean;
  /** Node.js options of its generators. */
  nodeOptions: readonly string[];
  /** Loaded in the generator only. */
  shards(): Promise<ShardModule>;
}

export interface ShardModule {
  /** @param entry script of the generator process; worker threads run it too */
  prepareShard(job: LoadJob, shard: Shard, entry: string): Promise<PreparedShard>;
}

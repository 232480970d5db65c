/** The port of load drivers: a job in, raw samples out. */
import type { DriverName } from '@topo-bench/core/schema/experiment';
import type { PreparedShard, Shard } from './generator/messages.ts';
import type { LoadJob } from './load-job.ts';
import type { LoadResult } from './load-result.ts';

/** Calls at moments of the load, for measurements of the system meanwhile. */
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
   * @param signal aborts: generators end, and the promise rejects with the signal's reason
   * @throws TopoBenchError `TB_LOAD_URL`, `TB_USAGE`, `TB_LOAD_OUT_OF_RANGE` (bad job), `TB_LOAD_UNREACHABLE` (nothing
   *   listens at the URL), `TB_LOAD_GENERATOR_DIED`
   */
  run(job: LoadJob, signal?: AbortSignal, observer?: LoadObserver): Promise<LoadResult>;
}

/** What sets one driver apart from the others. */
export interface DriverDefinition {
  description: string;
  /** Number of generators that a job needs. */
  parts(job: LoadJob): number;
  /** Its requests have instants to keep: generators get priority and cores stay awake. */
  keepsTime: boolean;
  /** Node.js options of its generators. */
  nodeOptions: readonly string[];
  /** Loaded in the generator only. */
  shards(): Promise<ShardModule>;
}

export interface ShardModule {
  /** @param entry script of the generator process, for a thread of it */
  prepareShard(job: LoadJob, shard: Shard, entry: string): Promise<PreparedShard>;
}

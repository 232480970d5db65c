/** What the parent and a generator process tell each other, over the channel that `fork` gives them. */
import type { GeneratorUse } from '@topo-bench/core';
import type { DriverName } from '@topo-bench/core/schema/experiment';
import type { StoredBodies } from '../body-store.ts';
import type { TransferredShard } from '../flight/transfer.ts';
import type { LoadJob } from '../load-job.ts';
import type { Samples } from '../samples.ts';

/** One generator process's part of the load. */
export interface Shard {
  /** Index of the process, 0 … parts − 1. */
  part: number;
  parts: number;
}

export interface ShardResult {
  samples: Samples;
  bodies: StoredBodies | undefined;
  inFlightMax: number;
  use: GeneratorUse;
  /** Of a bulk transfer. */
  transferred?: TransferredShard;
}

export type ToGenerator =
  | { type: 'prepare'; driver: DriverName; job: LoadJob; shard: Shard }
  /** The common start instant on the shared clock. */
  | { type: 'start'; startAtUs: number };

export type FromGenerator =
  /** Threads that must wake in time, by the system's numbers; undefined where they cannot be known. */
  | { type: 'ready'; threads: number[] | undefined }
  /** Nothing is in flight any more, or the bound of the drain is reached. */
  | { type: 'drained' }
  | { type: 'done'; result: ShardResult }
  | { type: 'failed'; code: string | undefined; message: string; hint: string | undefined; stack: string | undefined };

/** A load that is prepared (connections open, bodies built) and waits for its start instant. */
export interface PreparedShard {
  /** System's numbers of threads beside the main one that must wake in time; undefined where they cannot be known. */
  threads: number[] | undefined;
  /**
   * @param startAtUs instant on the shared clock
   * @param onDrained called when the drain has ended, before the result is put together
   */
  run(startAtUs: number, onDrained: () => void): Promise<ShardResult>;
}

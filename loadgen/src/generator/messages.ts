/** Messages between the coordinator of a load and its generators. */
import type { ConnectionCounts, GeneratorUse } from '@topo-bench/core';
import type { DriverName } from '@topo-bench/core/schema/experiment';
import type { StoredBodies } from '../body-store.ts';
import type { ErrorExamples } from '../error-kind.ts';
import type { TransferredShard } from '../flight/transfer.ts';
import type { PartProgress } from '../live/progress.ts';
import type { LoadJob } from '../load-job.ts';
import type { Samples } from '../samples.ts';

/** Part of the load: index 0 … parts − 1. */
export interface Shard {
  part: number;
  parts: number;
}

/** One generator's part of the load. */
export interface LoadPart {
  driver: DriverName;
  job: LoadJob;
  shard: Shard;
}

export interface ShardResult {
  samples: Samples;
  bodies: StoredBodies | undefined;
  inFlightMax: number;
  errorExamples?: ErrorExamples;
  connections?: ConnectionCounts;
  use: GeneratorUse;
  /** Records of a bulk transfer. */
  transferred?: TransferredShard;
}

/** A generator's reading of its host's clock. */
export interface ClockReading {
  nowUs: number;
  /** Error of the reading itself. */
  errorUs: number;
  /** Generators with equal names read the same clock. */
  clock: string;
}

export type ToGenerator =
  | { type: 'prepare'; part: LoadPart }
  | { type: 'readClock' }
  /** The common start instant, on the clock of the generator's host. */
  | { type: 'start'; startAtUs: number };

export type FromGenerator =
  /** Kernel ids of threads that must wake in time; undefined where the system has none. */
  | { type: 'ready'; threads: number[] | undefined }
  | { type: 'clock'; reading: ClockReading }
  /** With `progressMs` of the job, while the load runs. */
  | { type: 'progress'; progress: PartProgress }
  /** No request is in flight, or the bound of the drain is reached. */
  | { type: 'drained' }
  /** `startLateUs`: how long after the start instant the message `start` arrived; 0 when it was in time. */
  | { type: 'done'; result: ShardResult; startLateUs: number }
  | { type: 'failed'; code: string | undefined; message: string; hint: string | undefined; stack: string | undefined };

/** A prepared load (connections open, bodies built) that waits for its start instant. */
export interface PreparedShard {
  /** Kernel ids of threads, other than the main one, that must wake in time; undefined where the system has none. */
  threads: number[] | undefined;
  /**
   * @param startAtUs instant on the clock of the generator's host
   * @param onDrained called at the end of the drain, before the result is collected
   * @param onProgress called in the intervals that the job states
   */
  run(startAtUs: number, onDrained: () => void, onProgress?: (progress: PartProgress) => void): Promise<ShardResult>;
}

/** The port of sinks: rows to add to a store, with the checkpoints of partitions. A `HeatMap` is one. */
import type { Claim, HeatMapRows, StreamCheckpoint } from '@topo-bench/stores/heat-map';

export interface Sink {
  /** Adds all rows or none; a checkpoint is saved in the same transaction. Resolves at the store's acknowledgement. */
  add(rows: HeatMapRows, checkpoint?: StreamCheckpoint): Promise<void>;
  saveCheckpoint(checkpoint: StreamCheckpoint): Promise<void>;
  /** Ends the writes of earlier jobs to a partition, and returns its last checkpoint. */
  claim(partition: number): Promise<Claim>;
}

/** Accepts everything and keeps nothing: shows the cost of the engine alone. */
export const nullSink: Sink = {
  add: async () => {},
  saveCheckpoint: async () => {},
  claim: async () => ({ owner: 1, checkpoint: undefined }),
};

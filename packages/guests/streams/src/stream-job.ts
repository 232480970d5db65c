/** A job: source → map → key by → aggregate → sink, with its guarantee and its limits. */
import type { Clock } from '@topo-bench/core';
import type { OperatorCounts } from './meter.ts';
import type { Sink } from './sink.ts';
import type { EventSource } from './source.ts';
import type { SourceLag } from './source-lag.ts';
import type { TumblingWindows } from './watermark.ts';

/**
 * `exactly-once`: each write saves the checkpoint of its partition in the same transaction. `at-least-once`: writes and
 * checkpoints are apart, so a resumed job can add events again.
 */
export const guarantees = ['at-least-once', 'exactly-once'] as const;
export type Guarantee = (typeof guarantees)[number];

export interface StreamJob {
  source: EventSource;
  sink: Sink;
  /** Without windows, sums go to the store as soon as it takes them. */
  windows?: TumblingWindows | undefined;
  guarantee: Guarantee;
  /**
   * Parts of the keys, each with its own operators, writes and checkpoint; at least 1. Each has one write in flight, so
   * the sink needs as many connections. A resumed job needs the same number.
   */
  partitions: number;
  /** Rows that a partition collects before it writes; a window that ends can exceed it. */
  rowsPerWrite: number;
  /** Max events that pass through the operators together. */
  eventsPerBatch?: number;
  /** At-least-once: writes of a partition between two checkpoints. Default 10. */
  writesPerCheckpoint?: number;
  /** Intended times in µs since the start, one for each event. Without them, back-pressure sets the rate. */
  timesUs?: Float64Array | undefined;
  /** Continues from the checkpoints in the store; otherwise they are ignored. */
  resume?: boolean;
  clock: Clock;
  /**
   * Waits, for at least one turn of the event loop. Rejects early on abort.
   * @param us time to wait; 0 or less for one turn
   */
  pause(us: number, signal?: AbortSignal): Promise<void>;
  signal?: AbortSignal | undefined;
}

export interface StreamResult {
  /** Events read from the source, including those read again after a crash. */
  events: number;
  /** Events behind their window, which no row includes. A resumed job counts those before its checkpoint too. */
  late: number;
  /** Rows and calls that the store acknowledged. */
  rows: number;
  writes: number;
  checkpoints: number;
  /** From the first event, after all claims, to the last acknowledgement. */
  durationUs: number;
  /** Time that the source waited for the store. */
  backPressureUs: number;
  /** How far a paced source was behind its schedule; without batches otherwise. */
  lag: SourceLag;
  /** Row by row: from the creation of its first event to the store's acknowledgement, in µs. */
  endToEndUs: Float64Array;
  /** Time of each write at the store, in µs. */
  storeUs: Float64Array;
  counts: OperatorCounts;
}

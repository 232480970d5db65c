/** Jobs of a stream processor: what a run requests, and what a job measured. Every engine has these. */
import type { StoreEngine } from '@topo-bench/core';
import type { Summary } from '@topo-bench/core/schema/result';
import type { Answers, Guarantee, OperatorCounts, TumblingWindows } from '@topo-bench/streams';
import type { FlinkFigures } from '@topo-bench/streams/flink';
import type { StreamJobName } from '../settings-schema.ts';

/** What all jobs of a repetition share. */
export interface EngineSettings {
  job: StreamJobName;
  seed: number;
  points: number;
  /** Recorded points, written by `writePoints`; absent for drawn ones. */
  pointsFile?: string;
  entries: number;
  queries: number;
  cellLength: number;
  windows?: TumblingWindows;
  guarantee: Guarantee;
  partitions: number;
  rowsPerWrite: number;
  /** Time between checkpoints, of engines that make them at intervals. */
  checkpointEveryMs: number;
  /** The heat map that a copy reads; its connection string may contain a password. */
  source?: { engine: StoreEngine; url: string };
  /** Timeout of one operation of a database. */
  timeoutMs: number;
}

export interface JobRequest {
  database: StoreEngine;
  /** Connection string of an empty heat map, or of the one to query; may contain a password. */
  url: string;
  /** The first points, entries or queries of all. */
  points: number;
  /** Intended number of them per second; absent: as fast as the database takes them. */
  ratePerSecond?: number;
  /** In front of the database; absent without one. */
  grid?: { url: string; flushMs: number };
  /** Continues from the checkpoints of an earlier processor. */
  resume?: boolean;
}

/** What one job measured. Times are of one clock, that of the processor. */
export interface JobOutcome {
  points: number;
  /** Read from the source; fewer than `points` after a resumption. */
  events: number;
  ratePerSecond?: number;
  durationUs: number;
  pointsPerSecond: number;
  rows: number;
  writes: number;
  late: number;
  backPressureUs: number;
  queueGrowth?: number;
  backlog?: number;
  grid?: { unflushed: number; flushUs: number };
  endToEnd: Summary;
  storeAccess: Summary;
  counts: OperatorCounts;
  /** Present for a job that reads. */
  answers?: Pick<Answers, 'counts' | 'sums'>;
  /** Present for a job on Flink. */
  flink?: FlinkFigures;
  /** CPU time of the processor over the job, and the peak of its memory since its start. */
  cpuUs: number;
  peakRssBytes: number;
}

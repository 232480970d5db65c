/** The arguments of a job: its settings, without secrets. */
import type { StoreEngine } from '@topo-bench/core';
import type { StreamJob } from '../stream-job.ts';
import { flinkDatabase } from './databases/databases.ts';

export interface FlinkJob extends Pick<StreamJob, 'windows' | 'guarantee' | 'partitions' | 'rowsPerWrite'> {
  database: StoreEngine;
  /** Connection string of a heat map in it; may contain a password. */
  heatMapUrl: string;
  /** The first points of all. */
  points: number;
  /** Undefined for as fast as the operators take them. */
  ratePerSecond: number | undefined;
  cellLength: number;
  checkpointEveryMs: number;
  /** Restarts after a failure; default 0. */
  restarts?: number;
}

export function argumentsOf(job: FlinkJob): string[] {
  const settings = {
    url: flinkDatabase(job.database).addressOf(job.heatMapUrl),
    points: job.points,
    rate: job.ratePerSecond ?? 0,
    'cell-length': job.cellLength,
    'window-ms': job.windows?.lengthMs ?? 0,
    'out-of-order-ms': job.windows?.outOfOrderMs ?? 0,
    guarantee: job.guarantee,
    partitions: job.partitions,
    'rows-per-write': job.rowsPerWrite,
    'checkpoint-every-ms': job.checkpointEveryMs,
    restarts: job.restarts ?? 0,
  };
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
}

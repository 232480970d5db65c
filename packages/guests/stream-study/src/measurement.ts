/** The measured parts of one repetition, from which a cell is built. */
import type { HostUse } from '@topo-bench/host';
import type { JobOutcome } from './engine/job.ts';
import type { HeatMapCheck } from './oracle/compare-heat-maps.ts';
import type { StreamEntry, StreamTrial } from './parts.ts';
import type { RecoveredJob } from './recovery.ts';

/** The result of one job against the oracle: a heat map, or answers. */
export type JobCheck = HeatMapCheck & { heatMaps: number; answers: number };

export interface StreamMeasurement {
  cell: StreamTrial;
  repetition: number;
  startedAt: Date;
  /** Name and version. */
  database: string;
  address: string | undefined;
  fullSpeed: JobOutcome;
  trials: readonly JobOutcome[];
  sustainedPerSecond: number | undefined;
  paced: JobOutcome;
  /** One for each job, in their order. */
  checks: readonly JobCheck[];
  recovered: (Omit<RecoveredJob, 'outcome'> & { check: JobCheck }) | undefined;
  /** Bytes from the processes of the server, over the job at full speed. */
  writtenBytes: number | undefined;
  storageBytes: number;
  host: HostUse | undefined;
  /** CPU time of the server over the job at full speed, and its memory after it; undefined for unknown processes. */
  server: { cpuUs: number; rssBytes: number } | undefined;
}

export type StreamFigures = NonNullable<StreamEntry['stream']>;

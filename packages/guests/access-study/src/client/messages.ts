/** Messages between a run and its client, the process that reads the table. They travel over IPC. */

import type { LauncherOptions, LaunchPlace } from '@topo-bench/connectors';
import type { SourceTable } from '@topo-bench/sources';
import type { Access } from '../settings-schema.ts';

export interface ClientJob {
  /** May contain a password. */
  table: SourceTable;
  settings: Pick<
    Access,
    'variant' | 'query' | 'batchRows' | 'connections' | 'cachedDiscovery' | 'compression' | 'warm'
  >;
  /** Where and how programs run; absent without any. */
  launch?: Omit<LauncherOptions, 'onProgress'> & { place: LaunchPlace };
}

/** What the client measured. Times are of one clock, that of the client. */
export interface ReadOutcome {
  rows: number;
  checksum: string;
  durationUs: number;
  /** By name, in µs; their sum is the duration. */
  parts: Record<string, number>;
  wireBytes: Record<string, number>;
  /** Time in which a Flight server made record batches of rows, in µs; absent without such a server. */
  conversionUs?: number;
  /** Programs that the client started, and the client itself. */
  roles: Record<string, { cpuUs?: number; peakRssBytes?: number }>;
}

export type ToClient = { kind: 'prepare'; job: ClientJob } | { kind: 'read' } | { kind: 'stop' };

export type FromClient = { kind: 'ready'; idleRssBytes: number } | { kind: 'read'; outcome: ReadOutcome };

/** The measured parts of one read, from which a cell is built. */
import type { HostUse } from '@topo-bench/host';
import type { ReadOutcome } from './client/messages.ts';
import type { AccessEntry, AccessTrial } from './parts.ts';
import type { TableOfRun } from './table-of-run.ts';

export interface AccessMeasurement {
  cell: AccessTrial;
  repetition: number;
  startedAt: Date;
  outcome: ReadOutcome;
  table: Pick<TableOfRun, 'name' | 'store' | 'address' | 'expected' | 'bytesPerRow'>;
  /** Memory of the client just before the read. */
  idleRssBytes: number;
  host: HostUse | undefined;
  /** Database server over the read. */
  server: { cpuUs: number; peakRssBytes: number; cpuPercent: number } | undefined;
}

export type AccessFigures = NonNullable<AccessEntry['access']>;

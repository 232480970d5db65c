/** The measured parts of one read, from which a cell is built. */
import type { Cell } from '@topo-bench/core/schema/result';
import type { HostUse } from '@topo-bench/host';
import type { ExperimentCell } from '@topo-bench/trial';
import type { ReadOutcome } from './client/messages.ts';
import type { TableOfRun } from './table-of-run.ts';

export interface AccessMeasurement {
  cell: ExperimentCell;
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

export type AccessFigures = NonNullable<Cell['access']>;

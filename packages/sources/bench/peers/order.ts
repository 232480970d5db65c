/**
 * The language of the bench's processes, one line of JSON each: the process opens what an order names and answers,
 * reads when it gets a second line and answers with the result, then closes and answers again. Only the read is timed,
 * by the process that orders it: the clock is the same for every side.
 */
import type { SourceTable } from '../../src/index.ts';

export type Path =
  | 'columns'
  | 'rows'
  | 'rows to columns'
  | 'copy'
  | 'copy-streams'
  | 'recorded columns'
  | 'recorded rows';

export interface Order {
  path: Path;
  table: SourceTable;
  connections: number;
}

export interface ReadResult {
  rows: number;
  /** Names of the columns of what the side ends with; undefined where the stream is not decoded. */
  columns?: readonly string[];
}

/** What an order names, open and ready to be read once. */
export interface OpenTable {
  read(): Promise<ReadResult>;
  close(): Promise<void>;
}

/** The port of a table: its schema, its rows by the store's native driver, and its columns. */
import type { RecordBatch, Schema } from 'apache-arrow';

/**
 * A row by column name, with the values of the driver. Values that would lose digits in the driver's default type
 * (wide decimals, timestamps in µs) are text or `bigint`. `batchOfRows` accepts them all.
 */
export type Row = Readonly<Record<string, unknown>>;

export interface ReadRowsOptions {
  /** Max rows of one batch, 1 or more. */
  batchRows: number;
  /** Ends the read after this number of rows. Default: all. */
  limitRows?: number;
}

export interface ReadColumnsOptions extends ReadRowsOptions {
  /** Connections that share the read, 1 or more. With several, batches arrive in any order. */
  connections: number;
}

/** Reads are errors when the store ends early: a read that completes has all rows. */
export interface Source {
  readonly schema: Schema;
  /** @throws TopoBenchError `TB_SOURCE_LOST`, `TB_SOURCE_DAMAGED`, `TB_SOURCE_QUERY`, or the reason of the signal */
  rows(options: ReadRowsOptions): AsyncIterable<readonly Row[]>;
  /** @throws as `rows`, and `TB_SOURCE_VALUE` for a value that its column cannot represent */
  columns(options: ReadColumnsOptions): AsyncIterable<RecordBatch>;
  close(): Promise<void>;
}

export interface OpenSourceOptions {
  /** Aborts the reads and closes their connections. */
  signal?: AbortSignal;
}

/** The port of a store behind a connector: its configuration, its tables, and the part of a table after a cursor. */
import type { SourceTable } from '@topo-bench/sources';
import type { StreamDescriptor } from '../protocol/messages.ts';

export const storeNames = ['postgresql', 'mongodb', 'parquet'] as const;
export type StoreName = (typeof storeNames)[number];

export interface FoundTable extends StreamDescriptor {
  primaryKey?: readonly string[];
}

export interface CursorRange {
  field: string;
  /** Rows above it; absent: all rows with a value. */
  above?: string;
}

export interface StoreConnector<Config = never> {
  title: string;
  /** JSON Schema of the configuration; secrets have `airbyte_secret`. */
  configuration: object;
  /** @throws TopoBenchError `TB_USAGE` for the offending field */
  parseConfig(document: unknown): Config;
  /** The tables of the configuration, or all that its user can read. */
  tables(config: Config): Promise<readonly FoundTable[]>;
  tableOf(config: Config, stream: StreamDescriptor): SourceTable;
  /** The rows of a range, in the order of its field. Absent: the store has no order, and all rows are read. */
  rangeOf?(config: Config, stream: StreamDescriptor, range: CursorRange): SourceTable;
}

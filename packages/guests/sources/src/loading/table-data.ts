/** What a loader needs: a schema, batches in order, and a text that is equal for equal data. */
import type { RecordBatch, Schema } from 'apache-arrow';
import { joinedBatches } from '../rows/joined-batches.ts';
import type { Source } from '../source.ts';

export interface TableData {
  schema: Schema;
  /** e.g. `store_sales v1, seed 7, 1000 rows`. Without one, each load is done. */
  fingerprint?: string;
  /** Each call starts again at the first row. */
  batches(): AsyncIterable<RecordBatch> | Iterable<RecordBatch>;
}

export interface LoadOptions {
  signal?: AbortSignal;
}

export interface LoadResult {
  rows: number;
  /** The same rows were there already. */
  skipped: boolean;
}

/** Rows of one batch of a load; row groups of a Parquet file have as many. */
export const loadBatchRows = 100_000;

/** Rows of one read of another table, which are objects until they are columns. */
const readRows = 10_000;

/** The rows of another table. */
export function dataOfSource(source: Source): TableData {
  return {
    schema: source.schema,
    batches: () => joinedBatches(source.schema, source.rows({ batchRows: readRows }), loadBatchRows),
  };
}

/**
 * Columns of a Parquet file, decoded by `parquet-wasm`: at most one row group at a time is in memory. Its synchronous
 * reader is used, as a trap of WebAssembly is an error there; in its asynchronous one it is an unhandled rejection.
 */
import { TopoBenchError } from '@topo-bench/core';
import { type Data, makeData, RecordBatch, type Schema, Struct, tableFromIPC } from 'apache-arrow';
import type { ReadColumnsOptions } from '../source.ts';
import { damaged } from '../source-error.ts';
import { columnOfDecoded } from './column-of-decoded.ts';
import type { ParquetFile } from './open-file.ts';
import { rowGroupRanges } from './read-rows.ts';
import { rowGroupFiles } from './row-group-file.ts';

export interface ColumnRead {
  file: ParquetFile;
  schema: Schema;
  signal: AbortSignal | undefined;
}

/** @throws as `Source.columns` */
export async function* readColumns(
  { file, schema, signal }: ColumnRead,
  { batchRows, limitRows = Number.POSITIVE_INFINITY }: ReadColumnsOptions,
): AsyncGenerator<RecordBatch, void, void> {
  // A CommonJS module: bundled, it has no other export.
  const { default: parquet } = await import('parquet-wasm/node');
  const fileOfGroup = await guarded(file, () => rowGroupFiles(file));
  const pieceRows = batchRows * Math.max(1, Math.floor(maxRows / batchRows));
  let left = limitRows;
  for (const [group, { rowStart, rowEnd }] of rowGroupRanges(file.metadata).entries()) {
    const rows = Math.min(rowEnd - rowStart, left);
    if (rows <= 0) continue;
    left -= rows;
    const bytes = await guarded(file, () => fileOfGroup(group));
    for (let offset = 0; offset < rows; offset += pieceRows) {
      signal?.throwIfAborted();
      const limit = Math.min(rows - offset, pieceRows);
      const batches = await guarded(file, async () => {
        const table = parquet.readParquet(bytes, { batchSize: batchRows, limit, offset });
        const decoded = tableFromIPC(table.intoIPCStream()).batches.map((batch) => batchOf(schema, batch));
        const found = decoded.reduce((sum, { numRows }) => sum + numRows, 0);
        if (found !== limit) throw new Error(`got ${offset + found} rows of a row group, expected ${rows}`);
        return decoded;
      });
      for (const batch of batches) {
        signal?.throwIfAborted();
        yield batch;
      }
    }
  }
}

/** Decoded at a time: a few bytes can be a row group of billions of nulls. */
const maxRows = 2 ** 20;

function batchOf(schema: Schema, { numRows: length, data }: RecordBatch): RecordBatch {
  const children = schema.fields.map(({ name, type }, place) =>
    columnOfDecoded(type, data.children[place] as Data, name),
  );
  return new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length, nullCount: 0, children }));
}

async function guarded<Result>({ path }: ParquetFile, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof TopoBenchError ? error : damaged(path, error);
  }
}

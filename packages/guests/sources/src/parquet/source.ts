/** A Parquet file as a source: rows by `hyparquet`, columns by `parquet-wasm`. */
import type { RecordBatch } from 'apache-arrow';
import type { OpenSourceOptions, ReadColumnsOptions, ReadRowsOptions, Row, Source } from '../source.ts';
import { damaged } from '../source-error.ts';
import type { ParquetTable } from '../source-table.ts';
import { openParquetFile, type ParquetFile } from './open-file.ts';
import { readColumns } from './read-columns.ts';
import { readRows, rowGroupRanges } from './read-rows.ts';
import { arrowSchemaOf } from './schema.ts';

/** @throws as `openSource` */
export async function openParquetSource(table: ParquetTable, { signal }: OpenSourceOptions): Promise<Source> {
  const file = await openParquetFile(table.file);
  try {
    const rows = Number(file.metadata.num_rows);
    const inGroups = rowGroupRanges(file.metadata).at(-1)?.rowEnd ?? 0;
    if (rows !== inGroups)
      throw damaged(table.file, new Error(`its row groups have ${inGroups} rows, expected ${rows}`));
    return new ParquetSource(file, signal);
  } catch (error) {
    await file.close();
    throw error;
  }
}

class ParquetSource implements Source {
  readonly schema;

  constructor(
    private readonly file: ParquetFile,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.schema = arrowSchemaOf(file.metadata);
  }

  rows(options: ReadRowsOptions): AsyncIterable<readonly Row[]> {
    return readRows(this.file, options, this.signal);
  }

  columns(options: ReadColumnsOptions): AsyncIterable<RecordBatch> {
    return readColumns({ file: this.file, schema: this.schema, signal: this.signal }, options);
  }

  close(): Promise<void> {
    return this.file.close();
  }
}

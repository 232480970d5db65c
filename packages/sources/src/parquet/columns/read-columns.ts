/**
 * Columns of a Parquet file without rows, one row group at a time. Flat columns are decoded batch by batch, straight
 * into the buffers of Arrow; the driver decodes the others for a whole group.
 */
import { TopoBenchError } from '@topo-bench/core';
import { makeData, RecordBatch, type Schema, Struct } from 'apache-arrow';
import { type ColumnMetaData, parquetSchema, type SchemaElement } from 'hyparquet';
import type { ReadColumnsOptions } from '../../source.ts';
import { damaged } from '../../source-error.ts';
import type { ParquetFile } from '../open-file.ts';
import { rowGroupRanges } from '../read-rows.ts';
import { type ByteRange, ChunkBytes } from './chunk-bytes.ts';
import { type DriverColumns, driverMetadata, readDriverColumns } from './driver-columns.ts';
import { FlatColumn, flatWords, isFlatChunk } from './flat-column.ts';

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
  const { path, metadata } = file;
  const plain = driverMetadata(metadata);
  const ranges = rowGroupRanges(metadata);
  const maxRows = ranges.reduce((max, { rowStart, rowEnd }) => Math.max(max, rowEnd - rowStart), 0);
  const flat = flatColumns(file, schema, Math.min(batchRows, maxRows));
  const others = schema.fields.map(({ name }) => name).filter((name) => !flat.has(name));
  const bytes = new ChunkBytes(file);
  let left = limitRows;
  for (const [group, range] of ranges.entries()) {
    if (left <= 0) return;
    signal?.throwIfAborted();
    const rows = range.rowEnd - range.rowStart;
    await startGroup(flat, bytes, group, rows);
    const driven = await readDriverColumns({ ...file, metadata: plain }, others, range);
    const read = Math.min(rows, left);
    left -= read;
    for (let first = 0; first < read; first += batchRows) {
      signal?.throwIfAborted();
      yield batchOf({ path, schema, flat, driven }, first, Math.min(first + batchRows, read));
    }
    if (read < rows) continue;
    for (const [name, { column }] of flat) decode(path, name, () => column.requireEnd());
  }
}

interface PlacedColumn {
  column: FlatColumn;
  /** By row group. */
  chunks: readonly ColumnMetaData[];
}

/** By name. */
function flatColumns({ metadata }: ParquetFile, schema: Schema, capacity: number): Map<string, PlacedColumn> {
  const columns = new Map<string, PlacedColumn>();
  for (const [place, { element }] of parquetSchema(metadata).children.entries()) {
    const { name } = element;
    const field = schema.fields[place];
    if (!field || flatWords(element as SchemaElement, field.type) === undefined) continue;
    const chunks = metadata.row_groups.flatMap(({ columns }) => {
      const chunk = columns.find(
        ({ meta_data: meta }) => meta?.path_in_schema.length === 1 && meta.path_in_schema[0] === name,
      );
      return chunk?.meta_data && chunk.file_path === undefined && isFlatChunk(chunk.meta_data) ? [chunk.meta_data] : [];
    });
    if (chunks.length < metadata.row_groups.length) continue;
    columns.set(name, { column: new FlatColumn(element, field.type, capacity), chunks });
  }
  return columns;
}

async function startGroup(
  flat: ReadonlyMap<string, PlacedColumn>,
  bytes: ChunkBytes,
  group: number,
  rows: number,
): Promise<void> {
  const columns = [...flat.values()].map(({ column, chunks }) => ({ column, meta: chunks[group] as ColumnMetaData }));
  const read = await bytes.read(columns.map(({ meta }) => rangeOf(meta)));
  for (const [place, { column, meta }] of columns.entries()) column.start(read[place] as Uint8Array, meta, rows);
}

function rangeOf(meta: ColumnMetaData): ByteRange {
  const dictionary = Number(meta.dictionary_page_offset ?? 0);
  const data = Number(meta.data_page_offset);
  // Some writers name a dictionary at 0, or behind the data, where there is none.
  const start = dictionary > 0 && dictionary < data ? dictionary : data;
  return { start, end: start + Number(meta.total_compressed_size) };
}

interface GroupColumns {
  path: string;
  schema: Schema;
  flat: ReadonlyMap<string, PlacedColumn>;
  driven: DriverColumns;
}

function batchOf({ path, schema, flat, driven }: GroupColumns, from: number, to: number): RecordBatch {
  const length = to - from;
  const children = schema.fields.map(({ name, type }) => {
    const own = flat.get(name);
    return own ? decode(path, name, () => own.column.read(length)) : driven.dataOf(name, type, from, to);
  });
  return new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length, nullCount: 0, children }));
}

/** Errors with a code already name a way out, such as smaller batches; all others mean a damaged file. */
function decode<T>(path: string, name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof TopoBenchError) throw error;
    throw damaged(path, new Error(`column ${name}: ${(error as Error).message}`));
  }
}

/** Writes a Parquet file in row groups, under a temporary name that becomes the file's at the end. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Field, RecordBatch } from 'apache-arrow';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { LoadOptions, LoadResult, TableData } from '../loading/table-data.ts';
import { cellReader } from '../rows/read-cells.ts';
import { loadFailure } from '../source-error.ts';
import { nameOfTable, type ParquetTable } from '../source-table.ts';
import { openParquetFile } from './open-file.ts';
import { parquetSchemaOf, writtenValue } from './written-schema.ts';

const fingerprintKey = 'topo-bench.fingerprint';

/** @throws as `loadTable` */
export async function loadParquet(target: ParquetTable, data: TableData, { signal }: LoadOptions): Promise<LoadResult> {
  const present = data.fingerprint === undefined ? undefined : await rowsOf(target.file, data.fingerprint);
  if (present !== undefined) return { rows: present, skipped: true };
  const temporary = `${target.file}.loading`;
  try {
    await mkdir(dirname(target.file), { recursive: true });
    const rows = await write(temporary, data, signal);
    renameSync(temporary, target.file);
    return { rows, skipped: false };
  } catch (error) {
    rmSync(temporary, { force: true });
    signal?.throwIfAborted();
    throw loadFailure(nameOfTable(target), error, target.kind);
  }
}

/** @returns undefined unless the file has this fingerprint */
async function rowsOf(path: string, fingerprint: string): Promise<number | undefined> {
  const file = await openParquetFile(path).catch(() => undefined);
  await file?.close();
  const stored = file?.metadata.key_value_metadata?.find(({ key }) => key === fingerprintKey)?.value;
  return stored === fingerprint ? Number(file?.metadata.num_rows) : undefined;
}

/** Bytes of a page: a reader can decode a part of a row group. */
const pageSize = 64 * 1024;

async function write(path: string, data: TableData, signal: AbortSignal | undefined): Promise<number> {
  const output = openSync(path, 'w');
  try {
    const bytes = new ByteWriter();
    const kvMetadata = data.fingerprint === undefined ? [] : [{ key: fingerprintKey, value: data.fingerprint }];
    const schema = parquetSchemaOf(data.schema);
    const writer = new ParquetWriter({ writer: bytes, schema, createdBy: 'topo-bench', kvMetadata });
    let rows = 0;
    for await (const batch of data.batches() as AsyncIterable<RecordBatch>) {
      signal?.throwIfAborted();
      await writer.write({ columnData: columnsOf(batch), rowGroupSize: batch.numRows, pageSize });
      rows += batch.numRows;
      drain(bytes, output);
    }
    await writer.finish();
    drain(bytes, output);
    fsyncSync(output);
    return rows;
  } finally {
    closeSync(output);
  }
}

/** Writes what the writer has, and resets it to the same place in the file. */
function drain(bytes: ByteWriter, output: number): void {
  const all = new Uint8Array(bytes.buffer, 0, bytes.index);
  for (let written = 0; written < all.length; ) written += writeSync(output, all, written);
  bytes.index = 0;
}

function columnsOf(batch: RecordBatch): { name: string; data: unknown[] }[] {
  return batch.data.children.map((data, place) => {
    const { name, type } = batch.schema.fields[place] as Field;
    const read = cellReader(data);
    const convert = writtenValue(type);
    return { name, data: Array.from({ length: batch.numRows }, (_, row) => convert(read(row))) };
  });
}

/** Rows of Parquet files whose pages end at another row in each column, compared with the rows that were written. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DataType, Field, Int32, Int64, List, type RecordBatch, Schema, Struct, Utf8 } from 'apache-arrow';
import type { AsyncBuffer } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batchOfRows, loadTable, type Row } from '../../src/index.ts';
import { openParquetFile, type ParquetFile } from '../../src/parquet/open-file.ts';
import { readRows } from '../../src/parquet/read-rows.ts';

const schema = new Schema(
  Object.entries<DataType>({
    id: new Int32(),
    big: new Int64(),
    note: new Utf8(),
    days: new List(new Field('item', new Int32(), true)),
    place: new Struct([new Field('x', new Int32(), true), new Field('name', new Utf8(), true)]),
  }).map(([name, type]) => new Field(name, type, true)),
);

function rowOf(n: number): Row {
  return {
    id: n % 7 === 0 ? null : n,
    big: n % 3 === 0 ? null : BigInt(n) * 2n ** 40n,
    note: n % 5 === 0 ? null : 'é'.repeat(n % 40) + n,
    days: n % 11 === 0 ? null : Array.from({ length: n % 4 }, (_, i) => (i === 1 ? null : n + i)),
    place: n % 13 === 0 ? null : { x: n, name: `place ${n}` },
  };
}

const written = Array.from({ length: 50_000 }, (_, n) => rowOf(n));
let folder: string;
let file: ParquetFile;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'topo-bench-parquet-'));
  const path = join(folder, 'rows.parquet');
  const groups: RecordBatch[] = [written.slice(0, 30_000), written.slice(30_000)].map((rows) =>
    batchOfRows(schema, rows),
  );
  await loadTable({ kind: 'parquet', file: path }, { schema, batches: () => groups });
  file = await openParquetFile(path);
});

afterAll(async () => {
  await file.close();
  await rm(folder, { recursive: true, force: true });
});

/** A row as text; the driver leaves some nulls out. */
const text = (row: Row | undefined): string =>
  JSON.stringify(
    schema.names.map((name) => row?.[name as string] ?? null),
    (_, value) => (typeof value === 'bigint' ? `${value}n` : value),
  );

/** The first row that is not the written one: a difference of 50,000 rows would be unreadable. */
function expectFirst(count: number, rows: readonly Row[]): void {
  expect(rows).toHaveLength(count);
  const place = rows.findIndex((row, n) => text(row) !== text(written[n]));
  expect({ place, row: text(rows[place]) }).toEqual({ place: -1, row: text(undefined) });
}

async function read(source: ParquetFile, batchRows: number, limitRows?: number): Promise<Row[][]> {
  const batches: Row[][] = [];
  const limit = limitRows === undefined ? {} : { limitRows };
  for await (const rows of readRows(source, { batchRows, ...limit }, undefined)) batches.push([...rows]);
  return batches;
}

describe('rows of a Parquet file', () => {
  it.each([777, 5000])('are those that were written, in batches of at most %i', async (batchRows) => {
    const batches = await read(file, batchRows);
    expect(batches.every(({ length }) => length <= batchRows)).toBe(true);
    expectFirst(50_000, batches.flat());
  });

  it.each([1, 12_345, 30_001])('are the first %i rows with this limit', async (limit) => {
    expectFirst(limit, (await read(file, 1000, limit)).flat());
  });

  it('are those that were written without an index of pages', async () => {
    const row_groups = file.metadata.row_groups.map((group) => ({
      ...group,
      columns: group.columns.map(({ offset_index_offset: _, offset_index_length: __, ...column }) => column),
    }));
    const batches = await read({ ...file, metadata: { ...file.metadata, row_groups } }, 1000);
    expectFirst(50_000, batches.flat());
  });

  it('need each page once', async () => {
    let bytes = 0;
    const counted: AsyncBuffer = {
      byteLength: file.file.byteLength,
      slice: (start, end = file.file.byteLength) => {
        bytes += end - start;
        return file.file.slice(start, end);
      },
    };
    await read({ ...file, file: counted }, 1000);
    expect(bytes / file.file.byteLength).toBeLessThan(1.1);
  });

  it('are an error where a row group has more rows than its pages', async () => {
    const [group] = file.metadata.row_groups;
    const row_groups = [{ ...group, num_rows: 30_001n }] as typeof file.metadata.row_groups;
    await expect(read({ ...file, metadata: { ...file.metadata, row_groups } }, 1000)).rejects.toMatchObject({
      code: 'TB_SOURCE_DAMAGED',
    });
  });
});

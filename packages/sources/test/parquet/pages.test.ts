/** Column chunks built byte by byte: forms that other writers choose, and headers whose numbers are not true. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type DataType, Field, Int32, makeVector, Schema, Utf8 } from 'apache-arrow';
import type { ColumnMetaData, CompressionCodec, SchemaElement } from 'hyparquet';
import { expect, it } from 'vitest';
import { batchOfRows, loadTable } from '../../src/index.ts';
import { codecs } from '../../src/parquet/codecs.ts';
import { FlatColumn } from '../../src/parquet/columns/flat-column.ts';
import { readColumns } from '../../src/parquet/columns/read-columns.ts';
import { openParquetFile, type ParquetFile } from '../../src/parquet/open-file.ts';
import {
  bitPacked,
  dataPage,
  dataPageV2,
  dictionary,
  dictionaryPage,
  int,
  plain,
  rle,
  varint,
} from '../fixtures/page-bytes.ts';

/** Levels in front of a page: runs of a count and a value. */
const levels = (...runs: readonly (readonly [number, number])[]): number[] => {
  const bytes = runs.flatMap(([count, value]) => [...varint(2 * count), value]);
  return [...int(bytes.length), ...bytes];
};

interface Chunk {
  isNullable?: boolean;
  type?: DataType;
  codec?: CompressionCodec;
  rows: number;
}

function columnOf({ isNullable = false, type = new Int32(), rows }: Chunk): FlatColumn {
  const stored = type instanceof Utf8 ? 'BYTE_ARRAY' : 'INT32';
  const element: SchemaElement = { name: 'c', type: stored, repetition_type: isNullable ? 'OPTIONAL' : 'REQUIRED' };
  return new FlatColumn(element, type, rows);
}

function read(column: FlatColumn, bytes: readonly number[], { rows, codec = 'UNCOMPRESSED' }: Chunk): unknown[] {
  column.start(Uint8Array.from(bytes), { codec } as ColumnMetaData, rows);
  const data = column.read(rows);
  column.requireEnd();
  return [...makeVector(data)];
}

const valuesOf = (bytes: readonly number[], chunk: Chunk): unknown[] => read(columnOf(chunk), bytes, chunk);

it('a required column names the encoding of levels that it does not have, as Java writers do', () => {
  expect(valuesOf(dataPage(2, plain, [...int(7), ...int(-7)], bitPacked), { rows: 2 })).toEqual([7, -7]);
});

it('nulls and indexes into a dictionary are read by their levels', () => {
  const page = dataPage(4, dictionary, [...levels([1, 1], [1, 0], [2, 1]), 1, ...varint(2 * 2), 1, ...varint(2), 0]);
  const bytes = [...dictionaryPage(2, [...int(5), ...int(-6)]), ...page];
  expect(valuesOf(bytes, { rows: 4, isNullable: true })).toEqual([-6, null, -6, 5]);
});

it('a level above 1 is an error, not a second value', () => {
  const bytes = dataPage(2, plain, [...levels([1, 2], [1, 0]), ...int(1), ...int(2)]);
  expect(() => valuesOf(bytes, { rows: 2, isNullable: true })).toThrow('got a level of 2, expected 0 or 1');
});

it('a page of a dictionary without any bytes is an error, not its first entry', () => {
  const bytes = [...dictionaryPage(1, int(5)), ...dataPage(2, dictionary, [])];
  expect(() => valuesOf(bytes, { rows: 2 })).toThrow('a page ends before its values');
});

it('a row group without a dictionary gets no values of the dictionary before', () => {
  const page = dataPage(2, dictionary, [0]);
  for (const [type, first] of [
    [new Int32(), int(5)],
    [new Utf8(), [...int(1), 65]],
  ] as const) {
    const chunk = { rows: 2, type };
    const column = columnOf(chunk);
    expect(read(column, [...dictionaryPage(1, first), ...page], chunk)).toHaveLength(2);
    expect(() => read(column, page, chunk)).toThrow('got entry 0 of a dictionary with 0');
  }
});

const many = 2 ** 30 - 1;

it.each([
  ['rows', dataPage(many, dictionary, [1, ...varint(2 * many), 0]), {}, `got a page of ${many} rows`],
  ['rows with levels', dataPage(many, plain, levels([many, 0])), { isNullable: true }, `got a page of ${many} rows`],
  ['numbers', dictionaryPage(many, int(1)), {}, 'got 4 bytes of values'],
  ['texts', dictionaryPage(many, int(1)), { type: new Utf8() }, `got 4 bytes of ${many} texts`],
])('a header that promises a billion %s takes no memory for them', (_, bytes, chunk, message) => {
  const before = process.memoryUsage().arrayBuffers;
  expect(() => valuesOf(bytes, { rows: 10, ...chunk })).toThrow(message);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 20);
});

it('a header with a list of a billion numbers ends with its bytes', () => {
  const doubles = [0x19, 0xf7, ...varint(2 ** 32 - 1)];
  const began = performance.now();
  expect(() => valuesOf(doubles, { rows: 1 })).toThrow('a page ends within its header');
  expect(performance.now() - began).toBeLessThan(10_000);
});

it.each([
  ['GZIP', gzipSync],
  ['BROTLI', brotliCompressSync],
] as const)('a page of codec %s is not decompressed beyond its length', (codec, compress) => {
  expect(valuesOf(dataPage(1, plain, [...compress(Buffer.from(int(9)))], rle, 4), { rows: 1, codec })).toEqual([9]);
  expect(() => codecs[codec]?.(compress(Buffer.alloc(2 ** 20)), 8)).toThrow('larger than 8 bytes');
});

it.each(['UNCOMPRESSED', 'GZIP', 'BROTLI'] as const)('values may begin anywhere in a page of codec %s', (codec) => {
  const compress = { UNCOMPRESSED: (bytes: Buffer) => bytes, GZIP: gzipSync, BROTLI: brotliCompressSync }[codec];
  for (const expected of [
    [7, -7],
    [7, null, -7],
    [null, null],
  ]) {
    // A run has two bytes, and all of them a length in front.
    const runs = expected.map((value) => [1, value === null ? 0 : 1] as const);
    const body = [...levels(...runs), ...expected.flatMap((value) => (value === null ? [] : int(value)))];
    const page = dataPage(expected.length, plain, [...compress(Buffer.from(body))], rle, body.length);
    expect(valuesOf(page, { rows: expected.length, isNullable: true, codec })).toEqual(expected);
  }
});

it.each(Object.keys(codecs) as CompressionCodec[])('an empty dictionary of codec %s has no entries', (codec) => {
  const page = dataPageV2(2, 2, dictionary, [...varint(2 * 2), 0], []);
  expect(valuesOf([...dictionaryPage(0, [0], 0), ...page], { rows: 2, isNullable: true, codec })).toEqual([null, null]);
});

async function withFile(use: (file: ParquetFile, schema: Schema) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'topo-bench-pages-'));
  const path = join(folder, 'table.parquet');
  const schema = new Schema([new Field('c', new Int32(), true)]);
  await loadTable({ kind: 'parquet', file: path }, { schema, batches: () => [batchOfRows(schema, [{ c: 1 }])] });
  const file = await openParquetFile(path);
  try {
    await use(file, schema);
  } finally {
    await file.close();
    await rm(folder, { recursive: true });
  }
}

const isDamaged = { code: 'TB_SOURCE_DAMAGED' };

it('bytes beyond the file are an error before memory is taken for them', async () => {
  await withFile(async ({ file }) => {
    await expect(file.slice(4, 4 + 2 ** 32)).rejects.toMatchObject(isDamaged);
    await expect(file.slice(4, 4 + 2 ** 32)).rejects.toThrow(`got bytes 4 to ${4 + 2 ** 32} of a file`);
    await expect(file.slice(-1, 3)).rejects.toMatchObject(isDamaged);
  });
});

it('bytes behind the last page are an error of the file', async () => {
  await withFile(async (file, schema) => {
    const chunk = file.metadata.row_groups[0]?.columns[0]?.meta_data as ColumnMetaData;
    chunk.total_compressed_size += 1n;
    const batches = readColumns({ file, schema, signal: undefined }, { batchRows: 10, connections: 1 });
    expect((await batches.next()).value?.numRows).toBe(1);
    await expect(batches.next()).rejects.toMatchObject(isDamaged);
  });
});

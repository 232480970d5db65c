/** Loads into real stores: the same rows in each, whole or not at all, and not twice. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordBatch } from 'apache-arrow';
import { parquetMetadata } from 'hyparquet';
import { Collection, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  dataOfSource,
  datFileData,
  loadTable,
  openSource,
  type SourceKind,
  type SourceTable,
  storeSalesData,
  TableChecksum,
  type TableData,
  type TableDigest,
} from '../../src/index.ts';
import { kinds, startStores, type TestStores } from '../fixtures/test-stores.ts';

const data = storeSalesData({ rows: 1000, seed: 7 });
let stores: TestStores;

beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores?.stop());

async function digestOf(table: SourceTable): Promise<TableDigest> {
  const source = await openSource(table);
  const checksum = new TableChecksum(source.schema);
  for await (const rows of source.rows({ batchRows: 300 })) checksum.addRows(rows);
  await source.close();
  return checksum.digest();
}

async function digestOfData({ batches }: TableData): Promise<TableDigest> {
  const checksum = new TableChecksum();
  for await (const batch of batches()) checksum.addBatch(batch);
  return checksum.digest();
}

async function rowsThere(table: SourceTable): Promise<number> {
  return (await digestOf(table)).rows;
}

async function rowsUpTo(table: SourceTable, limitRows: number): Promise<number> {
  const source = await openSource(table);
  let rows = 0;
  for await (const batch of source.rows({ batchRows: 300, limitRows })) rows += batch.length;
  await source.close();
  return rows;
}

/** Names of files or collections; tables are made within a transaction. */
async function namesInStore(table: SourceTable): Promise<string[]> {
  if (table.kind !== 'mongodb') return readdirSync(stores.folder);
  const client = await new MongoClient(table.url).connect();
  const collections = await client.db(table.database).listCollections().toArray();
  await client.close();
  return collections.map(({ name }) => name);
}

describe.each(kinds)('a load into %s', (kind: SourceKind) => {
  it('has the rows of the generator, and is not done twice', async ({ skip }) => {
    const reason = stores.missing(kind);
    if (reason) skip(reason);
    const table = stores.table(kind, 'store_sales');
    expect(await loadTable(table, data)).toEqual({ rows: 1000, skipped: false });
    expect(await digestOf(table)).toEqual(await digestOfData(data));
    expect(await loadTable(table, data)).toEqual({ rows: 1000, skipped: true });
    const other = storeSalesData({ rows: 500, seed: 8 });
    expect(await loadTable(table, other)).toEqual({ rows: 500, skipped: false });
    expect(await digestOf(table)).toEqual(await digestOfData(other));
    expect(await Promise.all([0, 7, 501].map((limit) => rowsUpTo(table, limit)))).toEqual([0, 7, 500]);
  });

  it('that fails leaves the earlier table, and nothing of its own', async ({ skip }) => {
    const reason = stores.missing(kind);
    if (reason) skip(reason);
    const table = stores.table(kind, 'interrupted');
    const failing: TableData = {
      ...data,
      fingerprint: 'other',
      batches: async function* () {
        for (const batch of data.batches() as Iterable<RecordBatch>) yield batch.slice(0, 400);
        throw new Error('the generator failed');
      },
    };
    await expect(loadTable(table, failing)).rejects.toMatchObject({
      code: 'TB_SOURCE_LOAD',
      message: expect.stringMatching(/^cannot load .*interrupted.*: the generator failed$/),
    });
    await expect(openSource(table)).rejects.toMatchObject({
      code: kind === 'parquet' ? 'TB_FILE_NOT_FOUND' : 'TB_SOURCE_NOT_FOUND',
    });
    await loadTable(table, data);
    await expect(loadTable(table, failing)).rejects.toMatchObject({ code: 'TB_SOURCE_LOAD' });
    expect(await rowsThere(table)).toBe(1000);
    expect(await namesInStore(table)).not.toContainEqual(expect.stringContaining('.loading'));
  });

  it('that is aborted leaves nothing of its own', async ({ skip }) => {
    const reason = stores.missing(kind);
    if (reason) skip(reason);
    const stop = new AbortController();
    const aborting: TableData = {
      ...data,
      fingerprint: 'aborted',
      batches: async function* () {
        yield* data.batches() as Iterable<RecordBatch>;
        stop.abort(new Error('enough'));
        yield* data.batches() as Iterable<RecordBatch>;
      },
    };
    const table = stores.table(kind, 'aborted');
    await expect(loadTable(table, aborting, { signal: stop.signal })).rejects.toThrow('enough');
    const names = (await namesInStore(table)).filter((name) => name.includes('aborted'));
    expect(names).toEqual([]);
  });

  it('accepts a file of dsdgen as it is', async ({ skip }) => {
    const reason = stores.missing(kind);
    if (reason) skip(reason);
    const file = join(stores.folder, 'store_sales.dat');
    await writeFile(
      file,
      [
        '2451813|65495|3617|67006|591617|3428|24839|10|161|1|79|11.41|18.71|2.80|99.54|221.20|901.39|1478.09|6.08|99.54|121.66|127.74|-779.73|',
        '|65495|13283||591617|3428|24839|10|161|1|37|63.63|101.17|41.47|46.03|1534.39|2354.31|3743.29|59.53|46.03|1488.36|1547.89|-865.95|',
        '',
      ].join('\n'),
    );
    const table = stores.table(kind, 'dsdgen');
    expect(await loadTable(table, await datFileData(file))).toEqual({ rows: 2, skipped: false });
    const source = await openSource(table);
    const loaded = await digestOfData(dataOfSource(source));
    await source.close();
    expect(loaded).toEqual(await digestOfData(await datFileData(file)));
    expect(await loadTable(table, await datFileData(file))).toEqual({ rows: 2, skipped: true });
  });
});

describe('a MongoDB collection', () => {
  // DocumentDB estimates from statistics of PostgreSQL.
  it('is not loaded again where the server estimates its documents wrongly', async ({ skip }) => {
    const reason = stores.missing('mongodb');
    if (reason) skip(reason);
    const table = stores.table('mongodb', 'estimated');
    await loadTable(table, data);
    const estimate = vi.spyOn(Collection.prototype, 'estimatedDocumentCount').mockResolvedValue(995);
    try {
      expect(await loadTable(table, data)).toEqual({ rows: 1000, skipped: true });
    } finally {
      estimate.mockRestore();
    }
  });
});

describe('a Parquet file', () => {
  it('has row groups of 100,000 rows', async () => {
    const file = join(stores.folder, 'groups.parquet');
    await loadTable({ kind: 'parquet', file }, storeSalesData({ rows: 100_001, seed: 1 }));
    const bytes = await readFile(file);
    const { row_groups: groups } = parquetMetadata(new Uint8Array(bytes).buffer);
    expect(groups.map(({ num_rows: rows }) => rows)).toEqual([100_000n, 1n]);
  });
});

describe('a file of dsdgen', () => {
  it.each([
    ['with a field too few', '1|2|', ':1: got 2 fields, expected 23'],
    ['with text for a number', `${'x|'.repeat(23)}`, 'column ss_sold_date_sk: got "x"'],
  ])('%s is refused with the place', async (_, text, message) => {
    const file = join(stores.folder, 'wrong.dat');
    await writeFile(file, text);
    const wrong = await datFileData(file);
    await expect(digestOfData(wrong)).rejects.toMatchObject({
      code: 'TB_SOURCE_VALUE',
      message: expect.stringContaining(message),
    });
  });
});

describe('a Parquet file', () => {
  it.each([
    ['that lacks its end', 0.9],
    ['that is empty', 0],
  ])('%s is refused', async (_, share) => {
    const table = stores.table('parquet', 'truncated') as SourceTable & { kind: 'parquet' };
    await loadTable(table, storeSalesData({ rows: 1000, seed: Math.round(share * 10) }));
    const { size } = statSync(table.file);
    await truncate(table.file, Math.floor(size * share));
    await expect(openSource(table)).rejects.toMatchObject({
      code: 'TB_SOURCE_DAMAGED',
      message: expect.stringContaining(table.file),
    });
    expect(existsSync(table.file)).toBe(true);
  });
});

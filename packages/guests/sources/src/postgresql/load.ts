/** Loads a table of PostgreSQL by COPY, in one transaction: readers see all of it or none. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { TopoBenchError } from '@topo-bench/core';
import type { RecordBatch } from 'apache-arrow';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { LoadOptions, LoadResult, TableData } from '../loading/table-data.ts';
import { loadFailure } from '../source-error.ts';
import { nameOfTable, type PostgresTable } from '../source-table.ts';
import { beginTransaction, connectPostgres } from './connect.ts';
import { copyTextOf } from './copy-text.ts';
import { columnDefinitions } from './definitions.ts';

/** @throws as `loadTable` */
export async function loadPostgres(
  target: PostgresTable,
  data: TableData,
  { signal }: LoadOptions,
): Promise<LoadResult> {
  const name = quotedName(target);
  const client = await connectPostgres(target.url, signal);
  try {
    const present = data.fingerprint === undefined ? undefined : await rowsOf(client, name, data.fingerprint);
    if (present !== undefined) return { rows: present, skipped: true };
    return { rows: await replace(client, name, data), skipped: false };
  } catch (error) {
    signal?.throwIfAborted();
    throw loadFailure(nameOfTable(target), error, target.kind);
  } finally {
    // A transaction that has not been committed is rolled back.
    await client.end().catch(() => {});
  }
}

function quotedName({ table }: PostgresTable): string {
  if (table === undefined) throw new TopoBenchError('TB_USAGE', 'load: got a query, expected the name of a table');
  return table.split('.').map(pg.escapeIdentifier).join('.');
}

/** @returns undefined unless the table has this fingerprint, and as many rows as it had when it was loaded */
async function rowsOf(client: pg.Client, name: string, fingerprint: string): Promise<number | undefined> {
  const { rows } = await client.query<{ comment: string | null }>(
    `SELECT obj_description(to_regclass($1), 'pg_class') AS comment`,
    [name],
  );
  const count = Number(new RegExp(/^(\d+) loaded: /).exec(rows[0]?.comment ?? '')?.[1] ?? Number.NaN);
  if (rows[0]?.comment !== commentOf(count, fingerprint)) return undefined;
  await beginTransaction(client);
  const counted = await client.query<{ rows: number }>(`SELECT count(*)::float8 AS rows FROM ${name}`);
  await client.query('COMMIT');
  return counted.rows[0]?.rows === count ? count : undefined;
}

function commentOf(rows: number, fingerprint: string): string {
  return `${rows} loaded: ${fingerprint}`;
}

async function replace(client: pg.Client, name: string, data: TableData): Promise<number> {
  const definitions = columnDefinitions(data.schema);
  await beginTransaction(client);
  await client.query(`DROP TABLE IF EXISTS ${name}`);
  await client.query(`CREATE TABLE ${name} (${definitions.join(', ')})`);
  // FREEZE: the first reader has not to mark the rows as visible.
  const copy = client.query(copyFrom(`COPY ${name} FROM STDIN (FREEZE)`));
  await pipeline(Readable.from(textsOf(data), { objectMode: true, highWaterMark: 1 }), copy);
  const rows = copy.rowCount;
  if (data.fingerprint !== undefined) {
    const comment = pg.escapeLiteral(commentOf(rows, data.fingerprint));
    await client.query(`COMMENT ON TABLE ${name} IS ${comment}`);
  }
  await client.query('COMMIT');
  await beginTransaction(client);
  await client.query(`ANALYZE ${name}`);
  await client.query('COMMIT');
  return rows;
}

/** Rows of one chunk to the server. */
const chunkRows = 1000;

async function* textsOf(data: TableData): AsyncGenerator<string, void, void> {
  for await (const batch of data.batches() as AsyncIterable<RecordBatch>) {
    const text = copyTextOf(batch);
    for (let first = 0; first < batch.numRows; first += chunkRows)
      yield text(first, Math.min(first + chunkRows, batch.numRows));
  }
}

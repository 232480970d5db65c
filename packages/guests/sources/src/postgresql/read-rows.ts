/** Rows of PostgreSQL by the driver's cursor: the server sends one batch at a time. */
import type pg from 'pg';
import Cursor from 'pg-cursor';
import type { ReadRowsOptions, Row } from '../source.ts';
import { beginTransaction } from './connect.ts';
import { readFailure } from './read-failure.ts';
import type { PostgresRelation } from './schema.ts';

/** @param client used by no one else meanwhile @throws as `Source.rows` */
export async function* readRows(
  client: pg.Client,
  { select, name }: PostgresRelation,
  { batchRows, limitRows }: ReadRowsOptions,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly Row[], void, void> {
  let count = 0;
  const failed = (error: unknown): never => {
    signal?.throwIfAborted();
    throw readFailure(name, count, error);
  };
  await beginTransaction(client).catch(failed);
  const cursor = client.query(new Cursor<Row>(limitedTo(limitRows, select)));
  for (;;) {
    const rows = await cursor.read(batchRows).catch(failed);
    if (rows.length === 0) break;
    count += rows.length;
    yield rows;
  }
  await cursor.close();
  await client.query('COMMIT').catch(failed);
}

/** The statement for the first rows. @param limitRows undefined for all */
export function limitedTo(limitRows: number | undefined, select: string): string {
  return limitRows === undefined ? select : `SELECT * FROM (${select}) AS source LIMIT ${Math.floor(limitRows)}`;
}

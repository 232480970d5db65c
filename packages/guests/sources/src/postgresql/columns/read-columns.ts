/** Columns of PostgreSQL: binary COPY, decoded into the buffers of Arrow without rows. */
import type { RecordBatch } from 'apache-arrow';
import type pg from 'pg';
import type { ReadColumnsOptions } from '../../source.ts';
import { beginTransaction } from '../connect.ts';
import { readFailure } from '../read-failure.ts';
import { limitedTo } from '../read-rows.ts';
import type { PostgresRelation } from '../schema.ts';
import { selectsOfRanges } from './block-ranges.ts';
import { readCopies } from './read-copies.ts';
import { connectToSnapshot } from './shared-snapshot.ts';

export interface ColumnRead {
  relation: PostgresRelation;
  /** A connection for this read, which it ends. */
  connect(): Promise<pg.Client>;
  signal: AbortSignal | undefined;
}

/**
 * Back-pressure reaches the server: when a batch waits, the sockets are paused. Queries, views and reads with a limit
 * use one connection.
 * @throws as `Source.columns`
 */
export async function* readColumns(
  { relation, connect, signal }: ColumnRead,
  { batchRows, limitRows, connections }: ReadColumnsOptions,
): AsyncGenerator<RecordBatch, void, void> {
  const { table, select, name } = relation;
  const read = { relation, batchRows, signal };
  if (connections === 1 || table === undefined || limitRows !== undefined) {
    const client = await connect();
    await beginTransaction(client).catch(async (error: unknown) => {
      await client.end().catch(() => {});
      signal?.throwIfAborted();
      throw readFailure(name, 0, error);
    });
    yield* readCopies({ ...read, clients: [client], selects: [limitedTo(limitRows, select)] });
    return;
  }
  const { clients, prepared: selects } = await connectToSnapshot(connect, connections, name, (client) =>
    selectsOfRanges(client, table, connections),
  ).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw error;
  });
  yield* readCopies({ ...read, clients, selects });
}

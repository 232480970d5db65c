/** Several connections that see the same rows, although others change the table meanwhile. */
import type pg from 'pg';
import { refusedQuery } from '../../source-error.ts';
import { beginTransaction } from '../connect.ts';

const begin = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

export interface SharedSnapshot<T> {
  clients: pg.Client[];
  /** The result of `prepare`. */
  prepared: T;
}

/**
 * The first connection exports its snapshot, and the others import it.
 * @param prepare reads what the connections need, on the first of them
 * @param name of the table, for messages
 * @throws what `connect` throws, and TopoBenchError `TB_SOURCE_QUERY`
 */
export async function connectToSnapshot<T>(
  connect: () => Promise<pg.Client>,
  connections: number,
  name: string,
  prepare: (client: pg.Client) => Promise<T>,
): Promise<SharedSnapshot<T>> {
  const clients: pg.Client[] = [];
  try {
    const first = await connect();
    clients.push(first);
    await beginTransaction(first, begin);
    const { rows } = await first.query<{ id: string }>('SELECT pg_export_snapshot() AS id');
    while (clients.length < connections) {
      const client = await connect();
      clients.push(client);
      // The snapshot has to be set before any other statement of the transaction.
      await beginTransaction(client, `${begin}; SET TRANSACTION SNAPSHOT '${rows[0]?.id}'`);
    }
    return { clients, prepared: await prepare(first) };
  } catch (error) {
    await Promise.all(clients.map((client) => client.end().catch(() => {})));
    throw error instanceof Error && 'severity' in error ? refusedQuery(name, error) : error;
  }
}

/** The client of a MongoDB-protocol server. It owns the connections; our pool limits and orders the operations. */
import { type Collection, type Db, MongoClient } from 'mongodb';
import type { ConnectionDriver } from '../connection-pool.ts';
import type { ItemDocument } from './document.ts';

/** How long to look for an unreachable server, which may be restarting. */
const selectionMs = 2000;

/** One client for all slots of the pool; `close` closes it. */
export function mongoDriver(
  url: string,
  poolSize: number,
  timeoutMs: number,
): ConnectionDriver<Collection<ItemDocument>> & { close(): Promise<void> } {
  const { client, ...driver } = clientDriver(url, poolSize, timeoutMs);
  const items = client.db().collection<ItemDocument>('items');
  const connect = async (): Promise<Collection<ItemDocument>> => {
    await driver.connect();
    return items;
  };
  return { connect, isOpen: () => true, disconnect: () => {}, isUnavailable, close: () => client.close() };
}

/** The same with the database of the connection string. */
export function clientDriver(
  url: string,
  poolSize: number,
  timeoutMs: number,
): ConnectionDriver<Db> & { client: MongoClient } {
  const client = new MongoClient(url, {
    maxPoolSize: poolSize,
    serverSelectionTimeoutMS: Math.min(selectionMs, timeoutMs),
    connectTimeoutMS: timeoutMs,
    socketTimeoutMS: timeoutMs,
    // Undefined values are omitted, and never matched as null.
    ignoreUndefined: true,
  });
  const connect = async (): Promise<Db> => {
    await client.connect();
    return client.db();
  };
  return { client, connect, isOpen: () => true, disconnect: () => {}, isUnavailable };
}

/** Shutdown, step-down, interrupted: answers of a stopping server. */
const stoppingCodes = new Set([91, 189, 10107, 11600, 11602, 13435, 13436]);
const clientErrors = new Set([
  'MongoInvalidArgumentError',
  'MongoRuntimeError',
  'BSONError',
  'TypeError',
  'RangeError',
]);

function isUnavailable(error: unknown): boolean {
  const { name, code } = error as { name?: string; code?: number | string };
  if (name === 'MongoServerError' || name === 'MongoBulkWriteError')
    return typeof code === 'number' && stoppingCodes.has(code);
  return !clientErrors.has(name ?? '');
}

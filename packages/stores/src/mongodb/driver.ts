/** The client of a MongoDB-protocol server: it keeps the connections, our pool the places in the queue for them. */
import { type Collection, MongoClient } from 'mongodb';
import type { ConnectionDriver } from '../connection-pool.ts';
import type { ItemDocument } from './document.ts';

/** A server that is down is looked for this long, since it may be back at once. */
const selectionMs = 2000;

/** One client for all slots of the pool; `close` ends it. */
export function mongoDriver(
  url: string,
  poolSize: number,
  timeoutMs: number,
): ConnectionDriver<Collection<ItemDocument>> & { close(): Promise<void> } {
  const client = new MongoClient(url, {
    maxPoolSize: poolSize,
    serverSelectionTimeoutMS: Math.min(selectionMs, timeoutMs),
    connectTimeoutMS: timeoutMs,
    socketTimeoutMS: timeoutMs,
    // Values that are not there are left out, and never matched as null.
    ignoreUndefined: true,
  });
  const items = client.db().collection<ItemDocument>('items');
  return {
    connect: async () => {
      await client.connect();
      return items;
    },
    isOpen: () => true,
    disconnect: () => {},
    isUnavailable,
    close: () => client.close(),
  };
}

/** Shutdown, stepping down, interrupted: what servers answer while they go. */
const goingCodes = new Set([91, 189, 10107, 11600, 11602, 13435, 13436]);
const oursToBlame = new Set(['MongoInvalidArgumentError', 'MongoRuntimeError', 'BSONError', 'TypeError', 'RangeError']);

function isUnavailable(error: unknown): boolean {
  const { name, code } = error as { name?: string; code?: number | string };
  if (name === 'MongoServerError' || name === 'MongoBulkWriteError')
    return typeof code === 'number' && goingCodes.has(code);
  return !oursToBlame.has(name ?? '');
}

/** Clients of a MongoDB-protocol server. */
import { TopoBenchError } from '@topo-bench/core';
import { withoutPasswords } from '@topo-bench/stores/servers/connection-strings';
import { describeFailure } from '@topo-bench/stores/servers/ping';
import { MongoClient } from 'mongodb';

const selectionMs = 5000;

/**
 * @param signal its abort closes the client
 * @throws TopoBenchError `TB_STORE_URL`, `TB_STORE_LOGIN`, `TB_STORE_UNREACHABLE`
 */
export async function connectMongo(url: string, signal?: AbortSignal): Promise<MongoClient> {
  signal?.throwIfAborted();
  const client = clientOf(url);
  const abort = (): void => void client.close().catch(() => {});
  signal?.addEventListener('abort', abort, { once: true });
  client.once('close', () => signal?.removeEventListener('abort', abort));
  try {
    await client.connect();
    // Some servers check the login with the first command only.
    await client.db('admin').command({ ping: 1 });
  } catch (error) {
    await client.close().catch(() => {});
    signal?.throwIfAborted();
    const { isLogin, text, hint } = await describeFailure('mongodb', url, error as Error);
    const server = isLogin ? `the mongodb server at ${withoutPasswords(url)}` : 'the mongodb server';
    const message = `${server} ${text}`;
    throw new TopoBenchError(isLogin ? 'TB_STORE_LOGIN' : 'TB_STORE_UNREACHABLE', message, { hint, cause: error });
  }
  return client;
}

function clientOf(url: string): MongoClient {
  try {
    return new MongoClient(url, { serverSelectionTimeoutMS: selectionMs, retryReads: false });
  } catch {
    // The driver's message may contain the text.
    throw new TopoBenchError(
      'TB_STORE_URL',
      'address of the MongoDB server: got text that is not a connection string',
      {
        hint: 'write it as mongodb://user:password@host:port/, with special characters percent-encoded',
      },
    );
  }
}

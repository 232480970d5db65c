/** Connections to PostgreSQL, and settings that make its texts independent of server, user and machine. */
import { TopoBenchError } from '@topo-bench/core';
import { beginWith } from '@topo-bench/stores/postgresql/session-settings';
import { withoutPasswords } from '@topo-bench/stores/servers/connection-strings';
import { describeFailure } from '@topo-bench/stores/servers/ping';
import pg from 'pg';
import { driverTypes } from './driver-types.ts';

const connectTimeoutMs = 10_000;

const settings = {
  timezone: 'UTC',
  datestyle: 'ISO',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: 1,
  client_encoding: 'UTF8',
  statement_timeout: 0,
  // The reader of the last rows may take its time before the transaction ends.
  idle_in_transaction_session_timeout: 0,
  // A read of a large table would otherwise start where an earlier one stopped.
  synchronize_seqscans: 'off',
};

/** Begins the transaction of a read or load. @param begin statement */
export function beginTransaction(client: pg.Client, begin?: string): Promise<void> {
  return beginWith(client, settings, begin);
}

/**
 * @param signal its abort destroys the connection
 * @throws TopoBenchError `TB_STORE_URL`, `TB_STORE_LOGIN`, `TB_STORE_UNREACHABLE`, `TB_SOURCE_NOT_FOUND` for the
 *   database
 */
export async function connectPostgres(url: string, signal?: AbortSignal): Promise<pg.Client> {
  signal?.throwIfAborted();
  const client = clientOf(url);
  // The error reaches the query in flight, or the next one.
  client.on('error', () => {});
  const abort = (): void => void client.end().catch(() => {});
  try {
    await client.connect();
  } catch (error) {
    throw await connectFailure(url, error as Error & { code?: string });
  }
  signal?.addEventListener('abort', abort, { once: true });
  client.once('end', () => signal?.removeEventListener('abort', abort));
  if (signal?.aborted) {
    abort();
    signal.throwIfAborted();
  }
  return client;
}

function clientOf(url: string): pg.Client {
  try {
    return new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: connectTimeoutMs,
      keepAlive: true,
      application_name: 'topo-bench sources',
      types: driverTypes,
    });
  } catch {
    // The driver's message contains the text.
    throw new TopoBenchError('TB_STORE_URL', 'address of the PostgreSQL server: got text that is not a URL', {
      hint: 'write it as postgresql://user:password@host:port/database, with special characters percent-encoded',
    });
  }
}

async function connectFailure(url: string, error: Error & { code?: string }): Promise<TopoBenchError> {
  const server = `the postgresql server at ${withoutPasswords(url)}`;
  if (error.code === '3D000') {
    const hint = 'correct the database in the address, or create it';
    return new TopoBenchError('TB_SOURCE_NOT_FOUND', `${server}: ${error.message}`, { hint, cause: error });
  }
  const { isLogin, text, hint } = await describeFailure('postgresql', url, error);
  if (isLogin) return new TopoBenchError('TB_STORE_LOGIN', `${server} ${text}`, { hint, cause: error });
  return new TopoBenchError('TB_STORE_UNREACHABLE', `the postgresql server ${text}`, { hint, cause: error });
}

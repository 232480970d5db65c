/** Pings a PostgreSQL server. */
import pg from 'pg';

/** Rejects with the driver's error when the server does not answer. */
export async function ping(url: string, timeoutMs: number): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('SELECT 1');
  } finally {
    await client.end().catch(() => {});
  }
}

/** Class 28 of the SQLSTATE codes: invalid authorization. Without a password the driver fails by itself, in SASL. */
export function isLoginFailure(error: Error): boolean {
  const { code } = error as Error & { code?: unknown };
  return (typeof code === 'string' && /^28...$/.test(code)) || /client password must be a/.test(error.message);
}

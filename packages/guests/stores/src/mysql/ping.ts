/** Pings a MariaDB or MySQL server. */
import { createConnection } from 'mysql2/promise';

/** Rejects with the driver's error when the server does not answer. */
export async function ping(url: string, timeoutMs: number): Promise<void> {
  const connection = await createConnection({ uri: url, connectTimeout: timeoutMs });
  try {
    await connection.query({ sql: 'SELECT 1', timeout: timeoutMs });
  } finally {
    await connection.end().catch(() => {});
  }
}

export function isLoginFailure(error: Error): boolean {
  return /^ER_(DBACCESS|ACCESS)_DENIED/.test(String((error as Error & { code?: unknown }).code));
}

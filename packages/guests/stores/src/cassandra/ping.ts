/** Pings a Cassandra server. */
import { errors } from 'cassandra-driver';
import { withSession } from './driver.ts';

/** Rejects with the driver's error when the server does not answer. */
export async function ping(url: string, timeoutMs: number): Promise<void> {
  const server = new URL(url);
  server.pathname = '';
  try {
    await withSession(server.href, timeoutMs, (session) => session.execute('SELECT release_version FROM system.local'));
  } catch (error) {
    // The reasons of the hosts are inside.
    if (!(error instanceof errors.NoHostAvailableError)) throw error;
    throw Object.values((error.innerErrors ?? {}) as Record<string, Error>)[0] ?? error;
  }
}

export function isLoginFailure(error: Error): boolean {
  return error instanceof errors.AuthenticationError || /requires authentication/.test(error.message);
}

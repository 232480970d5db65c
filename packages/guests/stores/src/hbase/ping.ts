/** Pings an HBase cluster through its REST server. */
import { RestError, withConnection } from './driver.ts';
import { clusterVersion } from './tables.ts';

/** Rejects with the client's error when the server does not answer. */
export async function ping(url: string, timeoutMs: number): Promise<void> {
  await withConnection(url, timeoutMs, clusterVersion);
}

export function isLoginFailure(error: Error): boolean {
  return error instanceof RestError && (error.status === 401 || error.status === 403);
}

/** Pings an Ignite cluster. */
import { runSql, withConnection } from './driver.ts';
import { ownedPartitions } from './heat-map-statements.ts';

/** Rejects with the driver's error when the server does not answer. */
export async function ping(url: string, timeoutMs: number): Promise<void> {
  const [[owned] = []] = await withConnection(url, timeoutMs, (client) => runSql(client, ownedPartitions));
  // A node accepts clients long before its start is complete, and a new cache would then make the start fail.
  if (Number(owned) === 0) throw new Error('the node is still starting');
}

export function isLoginFailure({ message }: Error): boolean {
  return /user name|password|unauthenticated/i.test(message);
}

/** Removes all keys with a prefix, in batches. */
import type { RedisConnection } from './driver.ts';

export async function removeKeys(client: RedisConnection, prefix: string): Promise<void> {
  let cursor = '0';
  do {
    const [next, keys] = (await client.sendCommand(['SCAN', cursor, 'MATCH', `${prefix}*`, 'COUNT', '5000'])) as [
      string,
      string[],
    ];
    if (keys.length > 0) await client.sendCommand(['UNLINK', ...keys]);
    cursor = next;
  } while (cursor !== '0');
}

/** A fresh set of items: the service's keys are removed and written anew, since the server cannot copy a set of keys. */
import type { StoreConfiguration } from '@topo-bench/core/persistence';
import { seededItem } from '../seeded-items.ts';
import type { Dataset, PreparedStore } from '../store.ts';
import { StoreRefused } from '../store-error.ts';
import { connectTo, placeOf, type RedisConnection } from './driver.ts';
import { createScript } from './scripts.ts';

const connectTimeoutMs = 10_000;
const itemsPerBatch = 1000;

/** @throws StoreRefused when the user may not do what this needs */
export async function prepareStore(
  url: string,
  configuration: StoreConfiguration,
  { rows, seed }: Dataset,
  live: string,
  signal?: AbortSignal,
): Promise<PreparedStore> {
  const place = placeOf(url);
  const client = await connectTo(place.url, connectTimeoutMs);
  try {
    const startedMs = performance.now();
    await removeKeys(client, `${live}:`);
    const digest = String(await client.sendCommand(['SCRIPT', 'LOAD', createScript]));
    for (let first = 0; first < rows; first += itemsPerBatch) {
      signal?.throwIfAborted();
      const items = Array.from({ length: Math.min(itemsPerBatch, rows - first) }, (_, i) => seededItem(seed, first + i, rows));
      // Sent together, answered together.
      await Promise.all(
        items.map((item) => {
          const words = [live, item.id, JSON.stringify(item), String(Date.parse(item.createdAt))];
          return client.sendCommand(['EVALSHA', digest, '0', ...words]);
        }),
      );
    }
    const resetMs = performance.now() - startedMs;
    return { url: `${place.url}#${live}`, rows, resetMs, templateMs: 0, method: 'keys removed and written anew' };
  } catch (error) {
    throw new StoreRefused(`prepare ${rows} items for ${configuration}`, error);
  } finally {
    client.destroy();
  }
}

async function removeKeys(client: RedisConnection, prefix: string): Promise<void> {
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

/** A fresh set of items: deletes and rewrites the keys of the service, since the server cannot copy a set of keys. */
import { seededBatches } from '@topo-bench/workload';
import type { PrepareRequest } from '../engine.ts';
import type { PreparedStore } from '../store.ts';
import { preparationFailure } from '../store-error.ts';
import { connectTo, placeOf } from './driver.ts';
import { removeKeys } from './remove-keys.ts';
import { createScript } from './scripts.ts';

const connectTimeoutMs = 10_000;
const itemsPerBatch = 1000;

/** @throws StoreRefused when the server denies an operation */
export async function prepareStore(request: PrepareRequest): Promise<PreparedStore> {
  const { url, configuration, dataset, live, signal } = request;
  const { rows } = dataset;
  const place = placeOf(url);
  const client = await connectTo(place.url, connectTimeoutMs);
  try {
    const startedMs = performance.now();
    await removeKeys(client, `${live}:`);
    const digest = String(await client.sendCommand(['SCRIPT', 'LOAD', createScript]));
    for (const items of seededBatches(dataset, itemsPerBatch, signal)) {
      // One pipeline.
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
    throw preparationFailure(`prepare ${rows} items for ${configuration}`, error);
  } finally {
    client.destroy();
  }
}

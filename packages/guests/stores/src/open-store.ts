/** Opens a store and loads only the driver of its engine. */
import type { StoreOptions } from '@topo-bench/core';
import { engineOfUrl } from './engine-of-url.ts';
import { itemsOf } from './engines.ts';
import type { Store } from './store.ts';

/**
 * Loads the driver. Connections are opened on first use: with an unreachable database, this succeeds and operations
 * fail.
 * @throws TopoBenchError `TB_STORE_URL`
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { openStore } = await itemsOf(engineOfUrl(options.url, options.configuration)).store();
  return openStore(options);
}

/** Opens a store; loads only the driver of its engine. */
import type { StoreOptions } from '@topo-bench/core';
import { engineOfUrl } from './engine-of-url.ts';
import { engines } from './engines.ts';
import type { Store } from './store.ts';

/**
 * Loads the driver. Connections are opened on first use: with the database down, operations fail and this does not.
 * @throws TopoBenchError `TB_STORE_URL`
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { openStore } = await engines[engineOfUrl(options.url, options.configuration)].store();
  return openStore(options);
}

/** Opens a store; loads only the driver of the database that is asked for. */
import type { StoreEngine, StoreOptions } from '@topo-bench/core/persistence';
import { engineOfUrl } from './engine-of-url.ts';
import type { Store } from './store.ts';

interface StoreModule {
  openStore(options: StoreOptions): Store;
}

const storeModules: Record<StoreEngine, () => Promise<StoreModule>> = {
  postgresql: () => import('./postgresql/store.ts'),
  mysql: () => import('./mysql/store.ts'),
  mongodb: () => import('./mongodb/store.ts'),
  redis: () => import('./redis/store.ts'),
};

/**
 * Loads the driver; connections are opened when they are first used, so a database that is down refuses operations, not this.
 * @throws TopoBenchError `TB_STORE_URL`
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { openStore } = await storeModules[engineOfUrl(options.url, options.configuration)]();
  return openStore(options);
}

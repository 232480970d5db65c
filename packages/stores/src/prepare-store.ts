/** Puts the rows of an experiment into a store. Apart from `open-store.ts`, so that services carry no seeding. */
import type { StoreConfiguration, StoreEngine } from '@topo-bench/core/persistence';
import { liveName } from './dataset-name.ts';
import { engineOfUrl } from './engine-of-url.ts';
import type { Dataset, PreparedStore } from './store.ts';

interface PrepareModule {
  prepareStore(
    url: string,
    configuration: StoreConfiguration,
    dataset: Dataset,
    live: string,
    signal?: AbortSignal,
  ): Promise<PreparedStore>;
}

const prepareModules: Record<StoreEngine, () => Promise<PrepareModule>> = {
  postgresql: () => import('./postgresql/prepare.ts'),
  mysql: () => import('./mysql/prepare.ts'),
  mongodb: () => import('./mongodb/prepare.ts'),
  redis: () => import('./redis/prepare.ts'),
};

export interface PrepareOptions {
  /** Of a server, with a user who may create and drop databases. */
  url: string;
  configuration: StoreConfiguration;
  dataset: Dataset;
  /** Services that share a server must not share items. */
  service: string;
  /** Gives up between two batches of rows. */
  signal?: AbortSignal;
}

/**
 * Puts the same rows into the store of a service, whatever was there. Nobody may use that store meanwhile.
 * @throws StoreRefused, TopoBenchError `TB_STORE_URL`
 */
export async function prepareStore({ url, configuration, dataset, service, signal }: PrepareOptions): Promise<PreparedStore> {
  const { prepareStore } = await prepareModules[engineOfUrl(url, configuration)]();
  return prepareStore(url, configuration, dataset, liveName(service), signal);
}

/**
 * Fills a store with the rows of an experiment. Separate from `open-store.ts`, so that services do not load the seeding
 * code.
 */
import { liveName } from './dataset-name.ts';
import type { PrepareRequest } from './engine.ts';
import { engineOfUrl } from './engine-of-url.ts';
import { itemsOf } from './engines.ts';
import type { StoreServer } from './servers/store-server.ts';
import type { PreparedStore } from './store.ts';
import { failureOn } from './store-error.ts';

export interface PrepareOptions extends Omit<PrepareRequest, 'live'> {
  /** Services on one server have a database each. */
  service: string;
  /** The server of the URL; default: user-supplied. */
  server?: Pick<StoreServer, 'origin' | 'hasFullDisk'>;
}

/**
 * Replaces the content of a service's store with the rows of the dataset. The store must not be in use meanwhile.
 * @throws StoreRefused, TopoBenchError `TB_STORE_URL`, `TB_STORE_DISK_FULL`
 */
export async function prepareStore({
  service,
  server = { origin: 'connection-string' },
  ...request
}: PrepareOptions): Promise<PreparedStore> {
  const { prepareStore } = await itemsOf(engineOfUrl(request.url, request.configuration)).prepare();
  try {
    return await prepareStore({ ...request, live: liveName(service) });
  } catch (error) {
    throw failureOn(server, error);
  }
}

/**
 * Fills a store with the rows of an experiment. Separate from `open-store.ts`, so that services do not load the seeding
 * code.
 */
import { liveName } from './dataset-name.ts';
import type { PrepareRequest } from './engine.ts';
import { engineOfUrl } from './engine-of-url.ts';
import { itemsOf } from './engines.ts';
import type { PreparedStore } from './store.ts';

export interface PrepareOptions extends Omit<PrepareRequest, 'live'> {
  /** Services on one server have a database each. */
  service: string;
}

/**
 * Replaces the content of a service's store with the rows of the dataset. The store must not be in use meanwhile.
 * @throws StoreRefused, TopoBenchError `TB_STORE_URL`
 */
export async function prepareStore({ service, ...request }: PrepareOptions): Promise<PreparedStore> {
  const { prepareStore } = await itemsOf(engineOfUrl(request.url, request.configuration)).prepare();
  return prepareStore({ ...request, live: liveName(service) });
}

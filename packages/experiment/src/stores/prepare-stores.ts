/**
 * Prepares the stores of a cell: the same rows for each, on a running server. Cells without stores load none of this
 * code.
 */
import { engineOf } from '@topo-bench/core';
import type { Persistence } from '@topo-bench/core/schema/persistence';
import type { PreparedStore } from '@topo-bench/stores';
import type { ServerUrls } from '@topo-bench/stores/servers/connection-strings';
import type { StoreServer } from '@topo-bench/stores/servers/store-server';
import type { Graph } from '@topo-bench/topology';
import type { StoreServers } from './store-servers.ts';

export interface ServiceStore {
  service: string;
  persistence: Persistence;
  server: StoreServer;
  prepared: PreparedStore;
}

/** In the order of the services; empty if no service has data. */
export async function prepareStores(
  { services }: Graph,
  servers: StoreServers,
  signal: AbortSignal,
): Promise<ServiceStore[]> {
  const stores: ServiceStore[] = [];
  servers.nextRepetition();
  if (services.every(({ persistence }) => !persistence)) return stores;
  const { prepareStore } = await import('@topo-bench/stores/prepare-store');
  // One after the other: seeding is CPU-bound, and services of one server would only wait for each other.
  for (const { name: service, persistence } of services) {
    if (!persistence) continue;
    const { store: configuration, url, rows, seed } = persistence;
    const server = await servers.get(engineOf(persistence), url, signal);
    const prepared = await prepareStore({ url: server.url, configuration, dataset: { rows, seed }, service, signal });
    stores.push({ service, persistence, server, prepared });
  }
  return stores;
}

/**
 * Checks before a run that every store of these topologies has a server.
 * @param flags connection strings from flags
 * @throws TopoBenchError `TB_STORE_NO_SERVER`, `TB_STORE_URL`, `TB_STORE_UNREACHABLE`
 */
export async function requireServers(graphs: readonly Graph[], flags: ServerUrls = {}): Promise<void> {
  const stores = graphs.flatMap(({ services }) => services.flatMap(({ persistence }) => persistence ?? []));
  if (stores.length === 0) return;
  const { requireServer } = await import('@topo-bench/stores/servers/start-server');
  const different = new Map(stores.map((store) => [`${engineOf(store)} ${store.url ?? ''}`, store]));
  for (const store of different.values()) await requireServer({ engine: engineOf(store), url: store.url, flags });
}

/** Connection strings by service. */
export function storeUrls(stores: readonly ServiceStore[]): Record<string, string> {
  return Object.fromEntries(stores.map(({ service, prepared }) => [service, prepared.url]));
}

/**
 * Prepares the stores of a cell: the same rows for each, on a running server. Cells without stores load none of this
 * code.
 */
import type { ReachedContainer } from '@topo-bench/core';
import type { Persistence } from '@topo-bench/core/schema/persistence';
import type { PreparedStore } from '@topo-bench/stores';
import type { StoreServer } from '@topo-bench/stores/servers/store-server';
import type { Graph } from '@topo-bench/topology';
import type { ReachingRunner, StoreServers } from './store-servers.ts';

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
  runner: ReachingRunner,
  signal: AbortSignal,
): Promise<ServiceStore[]> {
  const stores: ServiceStore[] = [];
  servers.nextRepetition();
  if (services.every(({ persistence }) => !persistence)) return stores;
  const { prepareStore } = await import('@topo-bench/stores/prepare-store');
  // One after the other: seeding is CPU-bound, and services of one server would only wait for each other.
  for (const { name: service, persistence } of services) {
    if (!persistence) continue;
    const { store: configuration, rows, seed } = persistence;
    const server = await servers.get(persistence, runner, signal);
    const request = { url: server.url, configuration, dataset: { rows, seed }, service, signal };
    const prepared = await prepareStore({ ...request, server });
    stores.push({ service, persistence, server, prepared });
  }
  return stores;
}

/** Connection strings by service. */
export function storeUrls(stores: readonly ServiceStore[]): Record<string, string> {
  return Object.fromEntries(stores.map(({ service, prepared }) => [service, prepared.url]));
}

/** The different containers with servers of these stores. */
export function storeContainers(stores: readonly ServiceStore[]): ReachedContainer[] {
  const containers = stores.flatMap(({ server: { container } }) => container ?? []);
  return [...new Map(containers.map((container) => [container.id, container])).values()];
}

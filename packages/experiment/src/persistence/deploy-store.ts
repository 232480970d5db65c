/** From a running deployment with a prepared store to the bench that measures reads and writes on it. */
import { enforcedItemsPath, TopoBenchError } from '@topo-bench/core';
import type { RoleConfig } from '@topo-bench/core/role-config';
import type { ExperimentFile } from '@topo-bench/core/schema/experiment';
import type { StoreWorkload } from '@topo-bench/loadgen';
import type { Deployment } from '@topo-bench/runners';
import { openStore, type ServerIdentity } from '@topo-bench/stores';
import type { ServiceStore } from './prepare-stores.ts';
import { StoreBench } from './store-bench.ts';

export interface StoreDeployment {
  deployment: Deployment;
  configs: readonly RoleConfig[];
  stores: readonly ServiceStore[];
  /** Of the topology: calls state their facts. */
  classes: StoreWorkload['classes'];
  persistence: NonNullable<ExperimentFile['persistence']>;
  workerPath: string | undefined;
}

export async function storeBench({
  deployment,
  configs,
  stores,
  classes,
  persistence,
  workerPath,
}: StoreDeployment): Promise<StoreBench> {
  const [store] = stores;
  const config = configs.find(({ name }) => name === store?.service);
  if (!store || !config?.persistence) throw new TopoBenchError('TB_INTERNAL', 'no service of the topology has a store');
  const { store: options } = config.persistence;
  const point = configs.find(({ items }) => items?.some(({ service }) => config.responsibleFor.includes(service)));
  const path = point ? enforcedItemsPath(store.service) : '/items';
  return new StoreBench({
    deployment,
    service: store.service,
    entrance: point?.name ?? store.service,
    config,
    server: store.server,
    identity: await identityOf(options),
    prepared: store.prepared,
    options,
    workload: { ...storeWorkload(persistence, store), path, classes },
    workerPath,
  });
}

async function identityOf(options: Parameters<typeof openStore>[0]): Promise<ServerIdentity> {
  const store = await openStore({ ...options, poolSize: 1 });
  try {
    return await store.server();
  } finally {
    await store.close();
  }
}

function storeWorkload(
  { workload, reads, queries, creates, keys, skew, limit, documentSize }: StoreDeployment['persistence'],
  { persistence: { rows, seed } }: ServiceStore,
): Omit<StoreWorkload, 'path' | 'classes'> {
  return {
    reads: reads[workload],
    queries,
    creates,
    keys,
    skew,
    limit,
    ...(documentSize !== undefined && { documentBytes: documentSize }),
    dataset: { rows, seed },
  };
}

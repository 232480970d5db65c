/** From a running deployment with a prepared store to the test bed that measures reads and writes on it. */
import { enforcedItemsPath, TopoBenchError } from '@topo-bench/core';
import type { ExperimentFile } from '@topo-bench/core/schema/experiment';
import type { DeployedCell, ServiceStore } from '@topo-bench/experiment';
import type { StoreWorkload } from '@topo-bench/loadgen';
import { openStore, type ServerIdentity } from '@topo-bench/stores';
import { StoreTestBed } from './test-bed.ts';

/** @throws TopoBenchError `TB_INTERNAL` when the cell has no store */
export async function openStoreTestBed({
  cell: { graph, settings },
  deployment,
  configs,
  stores,
  workerPath,
}: DeployedCell): Promise<StoreTestBed> {
  const { persistence } = settings;
  const [store] = stores;
  const config = configs.find(({ name }) => name === store?.service);
  if (!persistence || !store || !config?.persistence)
    throw new TopoBenchError('TB_INTERNAL', 'no service of the topology has a store');
  const { store: options } = config.persistence;
  const point = configs.find(({ items }) => items?.some(({ service }) => config.responsibleFor.includes(service)));
  const path = point ? enforcedItemsPath(store.service) : '/items';
  return new StoreTestBed({
    deployment,
    service: store.service,
    entrance: point?.name ?? store.service,
    config,
    server: store.server,
    identity: await identityOf(options),
    prepared: store.prepared,
    options,
    workload: { ...storeWorkload(persistence, store), path, classes: graph.requestClasses },
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
  { workload, reads, queries, creates, keys, skew, limit, documentSize }: NonNullable<ExperimentFile['persistence']>,
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

/** Opens the test bed for reads and writes on a running deployment with a prepared store. */
import { enforcedItemsPath, TopoBenchError } from '@topo-bench/core';
import type { DeployedCell, ServiceStore } from '@topo-bench/measured';
import { openStore, type ServerIdentity } from '@topo-bench/stores';
import type { StoreWorkload } from '@topo-bench/workload';
import type { StoreExperiment } from './parts.ts';
import { StoreTestBed } from './test-bed.ts';

/** @throws TopoBenchError `TB_INTERNAL` when the cell has no store */
export async function openStoreTestBed({
  cell: { graph, settings },
  deployment,
  documents,
  stores,
  launcher,
}: DeployedCell): Promise<StoreTestBed> {
  const { persistence }: StoreExperiment = settings;
  const [store] = stores;
  const role = documents.roles.find(({ config }) => config.name === store?.service);
  if (!persistence || !store || !role?.config.persistence || !role.secrets.store)
    throw new TopoBenchError('TB_INTERNAL', 'no service of the topology has a store');
  const { config, secrets } = role;
  // The address of this process: that of the role may exist only in the network of the roles.
  const options = { ...role.config.persistence.store, url: store.prepared.url };
  const point = documents.roles.find(({ config: { items = [] } }) =>
    items.some(({ service }) => config.responsibleFor.includes(service)),
  )?.config;
  const path = point ? enforcedItemsPath(store.service) : '/items';
  return new StoreTestBed({
    deployment,
    service: store.service,
    entrance: point?.name ?? store.service,
    secrets,
    server: store.server,
    identity: await identityOf(options),
    prepared: store.prepared,
    options,
    workload: { ...storeWorkload(persistence, store), path, classes: graph.requestClasses },
    client: persistence.client,
    launcher,
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
  { workload, reads, queries, creates, keys, skew, limit, documentSize }: NonNullable<StoreExperiment['persistence']>,
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

/** A fresh set of documents: a collection with them is filled once, and each reset has the server copy it (`$out`). */
import type { StoreConfiguration } from '@topo-bench/core/persistence';
import { type Collection, type Db, MongoClient } from 'mongodb';
import { copyTemplate } from '../copy-template.ts';
import { datasetName } from '../dataset-name.ts';
import { seededItem } from '../seeded-items.ts';
import type { Dataset, PreparedStore } from '../store.ts';
import { type ItemDocument, indexes, toDocument } from './document.ts';

const connectTimeoutMs = 10_000;
const documentsPerInsert = 1000;

/** @throws StoreRefused when the user may not do what this needs */
export async function prepareStore(
  url: string,
  configuration: StoreConfiguration,
  dataset: Dataset,
  live: string,
  signal?: AbortSignal,
): Promise<PreparedStore> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: connectTimeoutMs });
  const template = client.db(datasetName(configuration, dataset)).collection<ItemDocument>('items');
  const { rows } = dataset;
  const times = await copyTemplate({
    what: `${rows} documents for ${configuration}`,
    hasTemplate: async () => (await template.countDocuments()) === rows,
    buildTemplate: () => fill(template, dataset, signal),
    copyTemplate: () => copyTo(client.db(live), template, rows),
    disconnect: () => client.close(),
  });
  return { url: withDatabase(url, live), rows, ...times, method: 'aggregation with $out, then indexes' };
}

async function fill(items: Collection<ItemDocument>, { rows, seed }: Dataset, signal: AbortSignal | undefined): Promise<void> {
  await items.db.dropDatabase();
  for (let first = 0; first < rows; first += documentsPerInsert) {
    signal?.throwIfAborted();
    const count = Math.min(documentsPerInsert, rows - first);
    const documents = Array.from({ length: count }, (_, i) => toDocument(seededItem(seed, first + i, rows)));
    await items.insertMany(documents, { ordered: false });
  }
}

async function copyTo(live: Db, template: Collection<ItemDocument>, rows: number): Promise<void> {
  await live.dropDatabase();
  await template.aggregate([{ $out: { db: live.databaseName, coll: 'items' } }]).toArray();
  const items = live.collection<ItemDocument>('items');
  await items.createIndexes(indexes.map(({ key, name }) => ({ key: { ...key }, name })));
  const copied = await items.countDocuments();
  if (copied !== rows) throw new Error(`the server copied ${copied} of ${rows} documents`);
}

/** By hand: connection strings with several hosts are more than `URL` takes. */
function withDatabase(url: string, database: string): string {
  const [, server = url, options = ''] = /^([^/]+\/\/[^/?]+)\/?[^?]*(\?.*)?$/.exec(url) ?? [];
  return `${server}/${database}${options}`;
}

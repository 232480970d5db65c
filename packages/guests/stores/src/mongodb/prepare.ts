/** A fresh set of documents. A template collection is filled once, and each reset has the server copy it (`$out`). */
import { seededBatches } from '@topo-bench/workload';
import { type Collection, type Db, MongoClient } from 'mongodb';
import { copyTemplate } from '../copy-template.ts';
import { datasetName } from '../dataset-name.ts';
import type { PrepareRequest } from '../engine.ts';
import type { Dataset, PreparedStore } from '../store.ts';
import { withMongoDatabase } from '../with-database.ts';
import { type ItemDocument, indexes, toDocument } from './document.ts';

const connectTimeoutMs = 10_000;
const documentsPerInsert = 1000;

/** @throws StoreRefused when the server denies an operation */
export async function prepareStore(request: PrepareRequest): Promise<PreparedStore> {
  const { url, configuration, dataset, live, signal } = request;
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
  return { url: withMongoDatabase(url, live), rows, ...times, method: 'aggregation with $out, then indexes' };
}

async function fill(items: Collection<ItemDocument>, dataset: Dataset, signal: AbortSignal | undefined): Promise<void> {
  await items.db.dropDatabase();
  for (const batch of seededBatches(dataset, documentsPerInsert, signal)) {
    await items.insertMany(batch.map(toDocument), { ordered: false });
  }
}

async function copyTo(live: Db, template: Collection<ItemDocument>, rows: number): Promise<void> {
  await live.dropDatabase();
  await template.aggregate([{ $out: { db: live.databaseName, coll: 'items' } }]).toArray();
  const items = live.collection<ItemDocument>('items');
  await items.createIndexes(indexes.map(({ key, name }) => ({ key: { ...key }, name })));
  const copied = await items.countDocuments();
  if (copied !== rows) throw new Error(`incomplete copy: got ${copied} documents, expected ${rows}`);
}

/** A fresh set of documents: a collection with them is filled once, and each reset has the server copy it (`$out`). */
import type { StoreConfiguration } from '@topo-bench/core/persistence';
import { MongoClient } from 'mongodb';
import { datasetName } from '../dataset-name.ts';
import { seededItem } from '../seeded-items.ts';
import type { Dataset, PreparedStore } from '../store.ts';
import { StoreRefused } from '../store-error.ts';
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
  try {
    const template = datasetName(configuration, dataset);
    const startedMs = performance.now();
    const isNew = await fillTemplate(client, template, dataset, signal);
    const builtMs = performance.now();
    await client.db(live).dropDatabase();
    await client
      .db(template)
      .collection('items')
      .aggregate([{ $out: { db: live, coll: 'items' } }])
      .toArray();
    const items = client.db(live).collection<ItemDocument>('items');
    await items.createIndexes(indexes.map(({ key, name }) => ({ key: { ...key }, name })));
    const copied = await items.countDocuments();
    if (copied !== dataset.rows) throw new Error(`the server copied ${copied} of ${dataset.rows} documents`);
    return {
      url: withDatabase(url, live),
      rows: dataset.rows,
      resetMs: performance.now() - builtMs,
      templateMs: isNew ? builtMs - startedMs : 0,
      method: 'aggregation with $out, then indexes',
    };
  } catch (error) {
    throw new StoreRefused(`prepare ${dataset.rows} documents for ${configuration}`, error);
  } finally {
    await client.close();
  }
}

/** @returns false when it was there, complete */
async function fillTemplate(
  client: MongoClient,
  template: string,
  { rows, seed }: Dataset,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const items = client.db(template).collection<ItemDocument>('items');
  if ((await items.countDocuments()) === rows) return false;
  await client.db(template).dropDatabase();
  for (let first = 0; first < rows; first += documentsPerInsert) {
    signal?.throwIfAborted();
    const count = Math.min(documentsPerInsert, rows - first);
    const documents = Array.from({ length: count }, (_, i) => toDocument(seededItem(seed, first + i, rows)));
    await items.insertMany(documents, { ordered: false });
  }
  return true;
}

/** By hand: connection strings with several hosts are more than `URL` takes. */
function withDatabase(url: string, database: string): string {
  const [, server = url, options = ''] = /^([^/]+\/\/[^/?]+)\/?[^?]*(\?.*)?$/.exec(url) ?? [];
  return `${server}/${database}${options}`;
}

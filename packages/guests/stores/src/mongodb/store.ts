/** Items as documents on a MongoDB-protocol server. */
import type { Item, ItemStatus, StoreOptions } from '@topo-bench/core';
import type { Collection } from 'mongodb';
import { ConnectionPool } from '../connection-pool.ts';
import type { ItemQuery, ItemStats } from '../item-query.ts';
import { itemStats } from '../item-stats.ts';
import type { ServerIdentity, Store } from '../store.ts';
import { filterOf, type ItemDocument, toDocument, toItem } from './document.ts';
import { mongoDriver } from './driver.ts';
import { identify } from './identity.ts';

export function openStore({ url, poolSize, queueLimit, waitMs, timeoutMs }: StoreOptions): Store {
  const driver = mongoDriver(url, poolSize, timeoutMs);
  return new MongoStore(new ConnectionPool(driver, { size: poolSize, queueLimit, waitMs, timeoutMs }), driver.close);
}

const duplicateKey = 11000;

class MongoStore implements Store {
  constructor(
    private readonly pool: ConnectionPool<Collection<ItemDocument>>,
    private readonly disconnect: () => Promise<void>,
  ) {}

  async create(item: Item): Promise<boolean> {
    const document = toDocument(item);
    try {
      await this.pool.use((items) => items.insertOne(document));
      return true;
    } catch (error) {
      if ((error as { code?: number }).code === duplicateKey) return false;
      throw error;
    }
  }

  async get(id: string): Promise<Item | undefined> {
    const document = await this.pool.use((items) => items.findOne({ _id: { $eq: id } }));
    return document ? toItem(document) : undefined;
  }

  async query(query: ItemQuery): Promise<Item[]> {
    const filter = filterOf(query);
    const documents = await this.pool.use((items) =>
      items.find(filter, { sort: { createdAt: 1, _id: 1 }, limit: query.limit, batchSize: query.limit + 1 }).toArray(),
    );
    return documents.map(toItem);
  }

  async put(item: Item): Promise<boolean> {
    const { _id, ...replacement } = toDocument(item);
    const { upsertedCount } = await this.pool.use((items) =>
      items.replaceOne({ _id: { $eq: _id } }, replacement, { upsert: true }),
    );
    return upsertedCount === 1;
  }

  async delete(id: string): Promise<boolean> {
    const { deletedCount } = await this.pool.use((items) => items.deleteOne({ _id: { $eq: id } }));
    return deletedCount === 1;
  }

  async stats(): Promise<ItemStats> {
    type Group = { _id: ItemStatus; items: number; totalCents: number };
    const group = { $group: { _id: '$status', items: { $sum: 1 }, totalCents: { $sum: '$totalCents' } } };
    const groups = await this.pool.use((items) => items.aggregate<Group>([group]).toArray());
    return itemStats(
      groups.map(({ _id, items, totalCents }) => ({ status: _id, items, totalCents: Number(totalCents) })),
    );
  }

  server(): Promise<ServerIdentity> {
    return this.pool.use(identify);
  }

  get load(): Store['load'] {
    return this.pool.load;
  }

  async close(): Promise<void> {
    await this.pool.close();
    await this.disconnect();
  }
}

/** Items as values of keys in Redis and Valkey, with sorted sets as indexes: the key-value baseline. */
import { type Item, itemStatuses, type StoreOptions } from '@topo-bench/core';
import { ConnectionPool } from '../connection-pool.ts';
import type { ItemQuery, ItemStats } from '../item-query.ts';
import { itemStats } from '../item-stats.ts';
import type { ServerIdentity, Store } from '../store.ts';
import { placeOf, type RedisConnection, redisDriver } from './driver.ts';
import { identify } from './identity.ts';
import { Script } from './script.ts';
import { createScript, deleteScript, putScript, queryScript } from './scripts.ts';

export function openStore({ url, poolSize, queueLimit, waitMs, timeoutMs }: StoreOptions): Store {
  const place = placeOf(url);
  const driver = redisDriver(place.url, timeoutMs);
  return new RedisStore(place.prefix, new ConnectionPool(driver, { size: poolSize, queueLimit, waitMs, timeoutMs }));
}

class RedisStore implements Store {
  private readonly createItem = new Script(createScript);
  private readonly putItem = new Script(putScript);
  private readonly deleteItem = new Script(deleteScript);
  private readonly queryItems = new Script(queryScript);

  constructor(
    private readonly prefix: string,
    private readonly pool: ConnectionPool<RedisConnection>,
  ) {}

  async create(item: Item): Promise<boolean> {
    return (await this.run(this.createItem, wordsOf(item))) === 1;
  }

  async get(id: string): Promise<Item | undefined> {
    const text = await this.pool.use((client) => client.sendCommand(['GET', `${this.prefix}:item:${id}`]));
    return text === null ? undefined : (JSON.parse(String(text)) as Item);
  }

  async query({ customer = '', status, from, sku = '', after, limit }: ItemQuery): Promise<Item[]> {
    const fromMs = from === undefined ? 0 : Date.parse(from);
    const position = after ? [String(Date.parse(after.createdAt)), after.id] : ['', ''];
    // The set that is likely to be smallest; the remaining conditions are checked on the items.
    const [set, ...rest] = customer
      ? [`customer:${customer}`, '', status ?? '']
      : status
        ? [`status:${status}`, '', '']
        : ['all', '', ''];
    const words = [`${this.prefix}:${set}`, String(fromMs), String(limit), ...rest, sku, ...position];
    const texts = (await this.run(this.queryItems, words)) as string[];
    return texts.map((text) => JSON.parse(text) as Item);
  }

  async put(item: Item): Promise<boolean> {
    return (await this.run(this.putItem, wordsOf(item))) === 1;
  }

  async delete(id: string): Promise<boolean> {
    return (await this.run(this.deleteItem, [id])) === 1;
  }

  async stats(): Promise<ItemStats> {
    const [items, cents] = await this.pool.use((client) =>
      Promise.all(
        ['items', 'cents'].map((name) => client.sendCommand(['HMGET', `${this.prefix}:${name}`, ...itemStatuses])),
      ),
    );
    const numberAt = (values: unknown, index: number): number => Number((values as (string | null)[])[index] ?? 0);
    return itemStats(
      itemStatuses.map((status, i) => ({ status, items: numberAt(items, i), totalCents: numberAt(cents, i) })),
    );
  }

  server(): Promise<ServerIdentity> {
    return this.pool.use(identify);
  }

  get load(): Store['load'] {
    return this.pool.load;
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  private run(script: Script, words: readonly string[]): Promise<unknown> {
    return this.pool.use((client) => script.run(client, ['0', this.prefix, ...words]));
  }
}

function wordsOf(item: Item): string[] {
  return [item.id, JSON.stringify(item), String(Date.parse(item.createdAt))];
}

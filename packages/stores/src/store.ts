/**
 * The port of persistence: what a service asks of its store, whatever database is behind it. A folder per database implements
 * it with the same file names; the contract suite (`test/contract.test.ts`) runs over all of them.
 */
import type { Item } from '@topo-bench/core';
import type { ItemQuery, ItemStats } from './item-query.ts';

/**
 * Every method throws StoreUnavailable (`TB_STORE_UNAVAILABLE`) when the database cannot be reached or does not answer in
 * time, and StoreBusy (`TB_STORE_BUSY`) when too many operations wait for a connection or one waited too long.
 */
export interface Store {
  /** Adds an item; false when its id is taken (the store is then unchanged). */
  create(item: Item): Promise<boolean>;
  get(id: string): Promise<Item | undefined>;
  /** At most `limit` items by time of creation, then by id. */
  query(query: ItemQuery): Promise<Item[]>;
  /** Creates or replaces the item of that id; true when it was not there before. */
  put(item: Item): Promise<boolean>;
  /** False when there was none. */
  delete(id: string): Promise<boolean>;
  stats(): Promise<ItemStats>;
  /** Asks the server who it is. */
  server(): Promise<ServerIdentity>;
  /** Operations at the store and operations that wait for a connection, now. */
  readonly load: { active: number; waiting: number };
  /** Lets no new operation in, waits for those under way, closes every connection. */
  close(): Promise<void>;
}

export interface ServerIdentity {
  /** As it reports itself, e.g. `PostgreSQL`, `MariaDB`, `SecantusDB (MongoDB wire protocol)`. */
  name: string;
  version: string;
  /** Settings that decide over durability and memory, as reported, by their own names. */
  settings: Record<string, string>;
}

/** Rows that an experiment starts from. */
export interface Dataset {
  rows: number;
  seed: number;
}

/** What `prepareStore` did. */
export interface PreparedStore {
  /** Where the items are: what `StoreOptions.url` of a service must be. */
  url: string;
  rows: number;
  /** Time from the old state to the fresh copy; 0 of it is building the template, which is `templateMs`. */
  resetMs: number;
  /** Time to build the template; 0 when it was there. */
  templateMs: number;
  /** How the copy was made, e.g. `CREATE DATABASE … TEMPLATE`. */
  method: string;
}

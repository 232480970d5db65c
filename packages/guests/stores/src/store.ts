/**
 * The port of persistence: the operations of a service on its store, for any database. A folder per database implements
 * it with the same file names; the contract suite (`test/contract.test.ts`) runs for all of them.
 */
import type { Item } from '@topo-bench/core';
import type { ItemQuery, ItemStats } from './item-query.ts';

/**
 * Every method throws StoreUnavailable (`TB_STORE_UNAVAILABLE`) when the database is unreachable or does not answer in
 * time, and StoreDiskFull (`TB_STORE_DISK_FULL`) when it reports a full disk. It throws StoreBusy (`TB_STORE_BUSY`)
 * when too many operations wait for a connection or one waited too long.
 */
export interface Store {
  /** Adds an item; false when its id exists (the store is then unchanged). */
  create(item: Item): Promise<boolean>;
  get(id: string): Promise<Item | undefined>;
  /** At most `limit` items by time of creation, then by id. */
  query(query: ItemQuery): Promise<Item[]>;
  /** Creates or replaces the item with this id; true for a new item. */
  put(item: Item): Promise<boolean>;
  /** False when it does not exist. */
  delete(id: string): Promise<boolean>;
  stats(): Promise<ItemStats>;
  /** Queries the identity of the server. */
  server(): Promise<ServerIdentity>;
  /** Current number of operations in flight, and of operations that wait for a connection. */
  readonly load: { active: number; waiting: number };
  /** Rejects new operations, waits for those in flight, closes every connection. */
  close(): Promise<void>;
}

export interface ServerIdentity {
  /** Reported name, e.g. `PostgreSQL`, `MariaDB`, `SecantusDB (MongoDB wire protocol)`. */
  name: string;
  version: string;
  /** Settings for durability and memory, as reported, by their own names. */
  settings: Record<string, string>;
}

/** Rows at the start of an experiment. */
export interface Dataset {
  rows: number;
  seed: number;
}

/** The result of `prepareStore`. */
export interface PreparedStore {
  /** Address of the items: `StoreOptions.url` of a service. */
  url: string;
  rows: number;
  /** Time from the old state to the fresh copy, without building the template (`templateMs`). */
  resetMs: number;
  /** Time to build the template; 0 for an existing one. */
  templateMs: number;
  /** How the copy was made, e.g. `CREATE DATABASE … TEMPLATE`. */
  method: string;
}

/** Items in MariaDB and MySQL: one prepared statement per operation. */
import type { Item, ItemStatus, StoreOptions } from '@topo-bench/core';
import type { Connection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import { ConnectionPool } from '../connection-pool.ts';
import type { ItemQuery, ItemStats } from '../item-query.ts';
import { itemStats } from '../item-stats.ts';
import type { ServerIdentity, Store } from '../store.ts';
import { mysqlDriver } from './driver.ts';
import { identify } from './identity.ts';
import { queryStatement, statements } from './statements.ts';
import { type Row, toItem, toValues } from './table.ts';

export function openStore({ url, poolSize, queueLimit, waitMs, timeoutMs }: StoreOptions): Store {
  const driver = mysqlDriver(url, timeoutMs);
  return new MysqlStore(new ConnectionPool(driver, { size: poolSize, queueLimit, waitMs, timeoutMs }));
}

const duplicateEntry = 1062;

class MysqlStore implements Store {
  constructor(private readonly pool: ConnectionPool<Connection>) {}

  async create(item: Item): Promise<boolean> {
    try {
      await this.write(statements.create, toValues(item));
      return true;
    } catch (error) {
      if ((error as { errno?: number }).errno === duplicateEntry) return false;
      throw error;
    }
  }

  async get(id: string): Promise<Item | undefined> {
    const [row] = await this.read<Row>(statements.get, [id]);
    return row && toItem(row);
  }

  async query(query: ItemQuery): Promise<Item[]> {
    const { text, values } = queryStatement(query);
    return (await this.read<Row>(text, values)).map(toItem);
  }

  async put(item: Item): Promise<boolean> {
    // 2 for a replaced row, 0 for an unchanged one.
    return (await this.write(statements.put, toValues(item))) === 1;
  }

  async delete(id: string): Promise<boolean> {
    return (await this.write(statements.delete, [id])) === 1;
  }

  async stats(): Promise<ItemStats> {
    const rows = await this.read<{ status: ItemStatus; items: number; total_cents: string }>(statements.stats, []);
    return itemStats(
      rows.map(({ status, items, total_cents }) => ({ status, items: Number(items), totalCents: Number(total_cents) })),
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

  private async read<T>(text: string, values: (string | number)[]): Promise<T[]> {
    const [rows] = await this.pool.use((connection) => connection.execute<RowDataPacket[]>(text, values));
    return rows as T[];
  }

  /** @returns rows affected */
  private async write(text: string, values: (string | number)[]): Promise<number> {
    const [{ affectedRows }] = await this.pool.use((connection) => connection.execute<ResultSetHeader>(text, values));
    return affectedRows;
  }
}

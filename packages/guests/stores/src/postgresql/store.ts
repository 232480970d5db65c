/** Items in PostgreSQL, relational or hybrid: one prepared statement per operation. */
import type { Item, ItemStatus, StoreOptions } from '@topo-bench/core';
import type { Client } from 'pg';
import { ConnectionPool } from '../connection-pool.ts';
import type { ItemQuery, ItemStats } from '../item-query.ts';
import { itemStats } from '../item-stats.ts';
import type { ServerIdentity, Store } from '../store.ts';
import { postgresDriver } from './driver.ts';
import { identify } from './identity.ts';
import type { Layout } from './layout.ts';
import { layoutOf } from './layouts.ts';
import { queryStatement, type Statements, statementsOf } from './statements.ts';

export function openStore({ configuration, url, poolSize, queueLimit, waitMs, timeoutMs }: StoreOptions): Store {
  const driver = postgresDriver(url, timeoutMs);
  return new PostgresStore(
    layoutOf(configuration),
    new ConnectionPool(driver, { size: poolSize, queueLimit, waitMs, timeoutMs }),
  );
}

class PostgresStore implements Store {
  private readonly statements: Statements;

  constructor(
    private readonly layout: Layout<object>,
    private readonly pool: ConnectionPool<Client>,
  ) {
    this.statements = statementsOf(layout);
  }

  async create(item: Item): Promise<boolean> {
    const query = { ...this.statements.create, values: this.layout.toValues(item) };
    const { rowCount } = await this.pool.use((client) => client.query(query));
    return rowCount === 1;
  }

  async get(id: string): Promise<Item | undefined> {
    const query = { ...this.statements.get, values: [id] };
    const { rows } = await this.pool.use((client) => client.query<object>(query));
    return rows[0] && this.layout.toItem(rows[0]);
  }

  async query(query: ItemQuery): Promise<Item[]> {
    const statement = queryStatement(this.layout, query);
    const { rows } = await this.pool.use((client) => client.query<object>(statement));
    return rows.map((row) => this.layout.toItem(row));
  }

  async put(item: Item): Promise<boolean> {
    const query = { ...this.statements.put, values: this.layout.toValues(item) };
    const { rows } = await this.pool.use((client) => client.query<{ created: boolean }>(query));
    return rows[0]?.created === true;
  }

  async delete(id: string): Promise<boolean> {
    const query = { ...this.statements.delete, values: [id] };
    const { rowCount } = await this.pool.use((client) => client.query(query));
    return rowCount === 1;
  }

  async stats(): Promise<ItemStats> {
    type Row = { status: ItemStatus; items: string; total_cents: string };
    const { rows } = await this.pool.use((client) => client.query<Row>(this.statements.stats));
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
}

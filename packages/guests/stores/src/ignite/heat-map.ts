/**
 * Heat maps in Ignite: a table each, and a cache of checkpoints. The client has no transactions, so rows hold the sum
 * of one writer, and readers add the sums up. Both have a new name at each creation: a late write of an earlier job
 * finds no table.
 */
import { randomBytes } from 'node:crypto';
import type IgniteClient from 'apache-ignite-client';
import { ConnectionPool } from '../connection-pool.ts';
import { type HeatMap, type HeatMapEntry, type HeatMapOptions, inOrderOf, poolLimits } from '../heat-map/heat-map.ts';
import { inRange } from '../heat-map/sums.ts';
import { SumsHeatMap } from '../heat-map/sums-heat-map.ts';
import { StoreRefused, StoreUnavailable } from '../store-error.ts';
import { withDatabase } from '../with-database.ts';
import { type IgniteConnection, igniteDriver, isGone, runSql, withConnection } from './driver.ts';
import { createTable, dropTable, statementsOf, version } from './heat-map-statements.ts';

/** A new cache is agreed on by all nodes. */
const schemaTimeoutMs = 60_000;
const connectTimeoutMs = 10_000;
const rowsPerStatement = 2000;

/** Name of a cache of checkpoints: that of the heat map, and random digits. Names of heat maps contain no dot. */
function newCacheName(live: string): string {
  return `${live}.${randomBytes(4).toString('hex')}`;
}

/** Its table of rows. */
function tableOf(cache: string): string {
  return `${cache.replace('.', '_')}_rows`;
}

/** @throws StoreRefused when the server denies an operation */
export async function createHeatMap(url: string, live: string): Promise<string> {
  const cache = newCacheName(live);
  await withConnection(url, schemaTimeoutMs, async (client) => {
    try {
      await removeAll(client, live);
      await client.getOrCreateCache(cache);
      for (const statement of createTable(tableOf(cache))) await runSql(client, statement);
    } catch (error) {
      throw new StoreRefused('create a heat map', error);
    }
  });
  return withDatabase(url, cache);
}

/** @throws StoreRefused when the server denies an operation */
export async function removeHeatMap(url: string, live: string): Promise<void> {
  await withConnection(url, schemaTimeoutMs, async (client) => {
    try {
      await removeAll(client, live);
    } catch (error) {
      throw new StoreRefused('remove a heat map', error);
    }
  });
}

/** Removes every heat map of this name: a process that was killed may have left one. */
async function removeAll(client: IgniteClient, live: string): Promise<void> {
  const caches = (await client.cacheNames()).filter((name) => name.startsWith(`${live}.`));
  for (const cache of caches) {
    await runSql(client, dropTable(tableOf(cache)));
    // Last: without it, the table would not be found again.
    await client.destroyCache(cache);
  }
}

export async function serverName(url: string): Promise<string> {
  const rows = await withConnection(url, connectTimeoutMs, (client) => runSql(client, version));
  // `2.17.0#20250209-sha1:d53d4540`
  return `Ignite ${String(rows[0]?.[0]).replace(/[#-].*$/, '')}`;
}

export function openHeatMap(options: HeatMapOptions): HeatMap {
  return new IgniteHeatMap(options);
}

class IgniteHeatMap extends SumsHeatMap implements HeatMap {
  readonly #pool: ConnectionPool<IgniteConnection>;
  readonly #cache: string;
  readonly #statements: ReturnType<typeof statementsOf>;

  constructor(options: HeatMapOptions) {
    super();
    this.#pool = new ConnectionPool(igniteDriver(options.url, options.timeoutMs), poolLimits(options));
    this.#cache = decodeURIComponent(new URL(options.url).pathname.slice(1));
    this.#statements = statementsOf(tableOf(this.#cache));
  }

  async read(cell: number): Promise<HeatMapEntry | undefined> {
    const [entry] = await this.readMany([cell]);
    return entry;
  }

  async readMany(cells: readonly number[]): Promise<HeatMapEntry[]> {
    if (cells.length === 0) return [];
    return inOrderOf(cells, await this.#totals([...new Set(cells)]));
  }

  async range(fromMs: number, toMs: number): Promise<HeatMapEntry[]> {
    const entries = fromMs <= 0 ? await this.#entries(this.#statements.all) : await this.#changedIn(fromMs, toMs);
    // The latest time of a cell can be that of another writer.
    return inRange(entries, fromMs, toMs);
  }

  /** Values alone: a node reports its own memory, and not that of other nodes. */
  async storageBytes(): Promise<number> {
    const [[bytes] = []] = await this.#use((client) => runSql(client, this.#statements.storage));
    return Number(bytes);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async load(partition: number): Promise<string | undefined> {
    return (await this.#use((client) => client.getCache(this.#cache).get(String(partition)))) ?? undefined;
  }

  replace(partition: number, before: string | undefined, after: string): Promise<boolean> {
    return this.#use((client) => {
      const checkpoints = client.getCache(this.#cache);
      const key = String(partition);
      return before === undefined
        ? checkpoints.putIfAbsent(key, after)
        : checkpoints.replaceIfEquals(key, before, after);
    });
  }

  async write(writer: string, entries: readonly HeatMapEntry[]): Promise<void> {
    for (let at = 0; at < entries.length; at += rowsPerStatement) {
      const part = entries.slice(at, at + rowsPerStatement);
      const columns = [
        part.map(({ cell }) => cell),
        part.map(({ crossings }) => crossings),
        part.map(({ timeMs }) => timeMs),
      ];
      await this.#use((client) => runSql(client, this.#statements.write, [writer, ...columns]));
    }
  }

  async #changedIn(fromMs: number, toMs: number): Promise<HeatMapEntry[]> {
    const rows = await this.#use((client) => runSql(client, this.#statements.cellsOfRange, [fromMs, toMs]));
    return this.#totals(rows.map(([cell]) => Number(cell)));
  }

  #totals(cells: readonly number[]): Promise<HeatMapEntry[]> {
    return cells.length === 0 ? Promise.resolve([]) : this.#entries(this.#statements.readMany, [cells]);
  }

  async #entries(sql: string, values: readonly (readonly number[])[] = []): Promise<HeatMapEntry[]> {
    const rows = await this.#use((client) => runSql(client, sql, values));
    return rows.map(([cell, crossings, timeMs]) => ({
      cell: Number(cell),
      crossings: Number(crossings),
      timeMs: Number(timeMs),
    }));
  }

  #use<T>(operation: (client: IgniteClient) => Promise<T>): Promise<T> {
    return this.#pool.use(async ({ client }) => {
      try {
        return await operation(client);
      } catch (error) {
        if (!isGone(error)) throw error;
        throw new StoreUnavailable(`the heat map ${this.#cache} does not exist any more on its server`, error);
      }
    });
  }
}

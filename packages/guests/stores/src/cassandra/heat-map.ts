/** Heat maps in Cassandra: a keyspace each. Rows hold the sum of one writer, and readers add the sums up. */
import { randomUUID } from 'node:crypto';
import type { Client } from 'cassandra-driver';
import {
  type Claim,
  type HeatMap,
  type HeatMapEntry,
  type HeatMapOptions,
  type HeatMapRows,
  inOrderOf,
  type StreamCheckpoint,
} from '../heat-map/heat-map.ts';
import { addedTo, inRange, summed } from '../heat-map/sums.ts';
import { StoreRefused } from '../store-error.ts';
import { withDatabase } from '../with-database.ts';
import { newSession, storeError, withSession } from './driver.ts';
import { createKeyspace, heatMapTables, heatMapStatements as statements } from './heat-map-statements.ts';
import { OwnedPartition } from './owned-partition.ts';
import { readRows, toEntry, writeRows } from './rows.ts';

/** A new table is agreed on by all nodes. */
const schemaTimeoutMs = 60_000;
const connectTimeoutMs = 10_000;
const maxReplicas = 3;
const oldestMajor = 5;

/** @throws StoreRefused when the server denies an operation, or is older than Cassandra 5 */
export async function createHeatMap(url: string, live: string): Promise<string> {
  return withSession(url, schemaTimeoutMs, async (session) => {
    const name = await nameOf(session);
    if (Number(/\d+/.exec(name)?.[0]) < oldestMajor) {
      throw new StoreRefused('create a heat map', `got ${name}, expected Cassandra 5 or later, which indexes ranges`);
    }
    try {
      const replicas = Math.min(maxReplicas, session.hosts.length);
      await session.execute(`DROP KEYSPACE IF EXISTS ${live}`, [], { prepare: false });
      for (const statement of [createKeyspace(live, replicas), `USE ${live}`, ...heatMapTables])
        await session.execute(statement, [], { prepare: false });
    } catch (error) {
      throw new StoreRefused('create a heat map', error);
    }
    return withDatabase(url, live);
  });
}

/** @throws StoreRefused when the server denies an operation */
export async function removeHeatMap(url: string, live: string): Promise<void> {
  await withSession(url, schemaTimeoutMs, async (session) => {
    try {
      await session.execute(`DROP KEYSPACE IF EXISTS ${live}`, [], { prepare: false });
    } catch (error) {
      throw new StoreRefused('remove a heat map', error);
    }
  });
}

export function serverName(url: string): Promise<string> {
  return withSession(url, connectTimeoutMs, nameOf);
}

export function openHeatMap(options: HeatMapOptions): HeatMap {
  return new CassandraHeatMap(options);
}

async function nameOf(session: Client): Promise<string> {
  const { rows } = await session.execute('SELECT release_version FROM system.local');
  return `Cassandra ${rows[0]?.release_version}`;
}

class CassandraHeatMap implements HeatMap {
  readonly #options: HeatMapOptions;
  /** Writer of rows without a checkpoint: no other process writes these rows. */
  readonly #writer = `job ${randomUUID()}`;
  readonly #sums = new Map<number, HeatMapEntry>();
  #writes = 0;
  #partitions = new Map<number, OwnedPartition>();
  #session: Promise<Client> | undefined;
  readonly #inFlight = new Set<Promise<unknown>>();

  constructor(options: HeatMapOptions) {
    this.#options = options;
  }

  add(rows: HeatMapRows, checkpoint?: StreamCheckpoint): Promise<void> {
    return this.#use(async (session) => {
      if (checkpoint) return this.#partition(session, checkpoint.partition).save(checkpoint, rows);
      const entries = addedTo(this.#sums, rows);
      for (const entry of entries) this.#sums.set(entry.cell, entry);
      await writeRows(session, this.#writer, entries, ++this.#writes);
    });
  }

  async read(cell: number): Promise<HeatMapEntry | undefined> {
    const [entry] = await this.readMany([cell]);
    return entry;
  }

  readMany(cells: readonly number[]): Promise<HeatMapEntry[]> {
    return this.#use(async (session) => inOrderOf(cells, await totals(session, cells)));
  }

  range(fromMs: number, toMs: number): Promise<HeatMapEntry[]> {
    return this.#use(async (session) => {
      const entries = fromMs <= 0 ? await everything(session) : await changedIn(session, fromMs, toMs);
      // The latest time of a cell can be that of another writer.
      return inRange(entries, fromMs, toMs);
    });
  }

  saveCheckpoint(checkpoint: StreamCheckpoint): Promise<void> {
    return this.#use((session) => this.#partition(session, checkpoint.partition).save(checkpoint));
  }

  checkpoint(partition: number): Promise<StreamCheckpoint | undefined> {
    return this.#use(async (session) => (await this.#partition(session, partition).saved())?.checkpoint);
  }

  claim(partition: number): Promise<Claim> {
    return this.#use((session) => this.#partition(session, partition).claim());
  }

  /** Values alone: the server reports the size of files, which it writes long after it has accepted the rows. */
  storageBytes(): Promise<number> {
    return this.#use(async (session) => {
      let bytes = 0;
      for await (const { writer } of await session.execute(statements.writers, [], { autoPage: true } as object))
        bytes += bytesOfNumbers + Buffer.byteLength(String(writer));
      return bytes;
    });
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#inFlight);
    const session = await this.#session?.catch(() => undefined);
    this.#session = undefined;
    await session?.shutdown();
  }

  #partition(session: Client, partition: number): OwnedPartition {
    const known = this.#partitions.get(partition) ?? new OwnedPartition(session, partition);
    this.#partitions.set(partition, known);
    return known;
  }

  async #use<T>(operation: (session: Client) => Promise<T>): Promise<T> {
    const running = this.#connected().then(operation);
    this.#inFlight.add(running);
    try {
      return await running;
    } catch (error) {
      throw storeError(error);
    } finally {
      this.#inFlight.delete(running);
    }
  }

  /** A session that failed to connect is of no further use. */
  #connected(): Promise<Client> {
    this.#session ??= this.#connect();
    return this.#session;
  }

  async #connect(): Promise<Client> {
    const session = newSession(this.#options.url, this.#options);
    try {
      await session.connect();
      this.#partitions = new Map();
      return session;
    } catch (error) {
      this.#session = undefined;
      await session.shutdown().catch(() => {});
      throw error;
    }
  }
}

/** Cell, crossings and time. */
const bytesOfNumbers = 24;

async function totals(session: Client, cells: readonly number[]): Promise<HeatMapEntry[]> {
  return [...summed(await readRows(session, [...new Set(cells)])).values()];
}

async function everything(session: Client): Promise<HeatMapEntry[]> {
  const rows: HeatMapEntry[] = [];
  for await (const row of await session.execute(statements.all, [], { autoPage: true } as object))
    rows.push(toEntry(row));
  return [...summed(rows).values()];
}

/** Cells of which one writer has a time in the range. */
async function changedIn(session: Client, fromMs: number, toMs: number): Promise<HeatMapEntry[]> {
  const cells = new Set<number>();
  const values = [fromMs, Math.min(toMs, Number.MAX_SAFE_INTEGER)];
  for await (const { cell } of await session.execute(statements.cellsOfRange, values, { autoPage: true } as object))
    cells.add(Number(cell));
  return totals(session, [...cells]);
}

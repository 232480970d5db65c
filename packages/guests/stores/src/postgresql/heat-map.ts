/** Heat maps in PostgreSQL: a database each. */
import type { Client } from 'pg';
import { ConnectionPool } from '../connection-pool.ts';
import {
  type Claim,
  type HeatMap,
  type HeatMapEntry,
  type HeatMapOptions,
  type HeatMapReader,
  type HeatMapRows,
  inOrderOf,
  poolLimits,
  type StreamCheckpoint,
} from '../heat-map/heat-map.ts';
import { retried } from '../heat-map/retried.ts';
import { preparationFailure, StoreClaimed, StoreRefused } from '../store-error.ts';
import { withDatabase } from '../with-database.ts';
import { connectTo, postgresDriver } from './driver.ts';
import { bigintArray, heatMapTables, heatMapStatements as statements } from './heat-map-statements.ts';

const connectTimeoutMs = 10_000;

/** @throws StoreRefused when the server denies an operation */
export async function createHeatMap(url: string, live: string): Promise<string> {
  const liveUrl = withDatabase(url, live);
  try {
    await withClient(url, async (admin) => {
      await admin.query(`DROP DATABASE IF EXISTS "${live}" WITH (FORCE)`);
      await admin.query(`CREATE DATABASE "${live}" TEMPLATE template0 ENCODING 'UTF8'`);
    });
    await withClient(liveUrl, async (client) => {
      for (const table of heatMapTables) await client.query(table);
    });
  } catch (error) {
    throw preparationFailure('create a heat map', error);
  }
  return liveUrl;
}

/** @throws StoreRefused when the server denies an operation */
export async function removeHeatMap(url: string, live: string): Promise<void> {
  try {
    await withClient(url, async (admin) => void (await admin.query(`DROP DATABASE IF EXISTS "${live}" WITH (FORCE)`)));
  } catch (error) {
    throw new StoreRefused('remove a heat map', error);
  }
}

async function withClient(url: string, use: (client: Client) => Promise<void>): Promise<void> {
  const client = await connectTo(url, connectTimeoutMs);
  try {
    await use(client);
  } finally {
    await client.end();
  }
}

export function openHeatMap(options: HeatMapOptions): HeatMap {
  return new PostgresHeatMap(new ConnectionPool(postgresDriver(options.url, options.timeoutMs), poolLimits(options)));
}

/** One connection: pages are read one after another. */
export function openReader({ url, timeoutMs, engine }: Omit<HeatMapOptions, 'connections'>): HeatMapReader {
  const limits = poolLimits({ engine, url, connections: 1, timeoutMs });
  return new PostgresReader(new ConnectionPool(postgresDriver(url, timeoutMs), limits));
}

/** Deadlock: possible where a batch has a cell that another transaction locks out of order. */
function isRolledBack(error: unknown): boolean {
  return (error as { code?: string }).code === '40P01';
}

interface Row {
  cell: string;
  crossings: string;
  event_time_ms: string;
}

class PostgresReader implements HeatMapReader {
  constructor(private readonly pool: ConnectionPool<Client>) {}

  page(after: number, limit: number): Promise<HeatMapEntry[]> {
    return readEntries(this.pool, { ...statements.page, values: [after, limit] });
  }

  async cellAt(place: number): Promise<number | undefined> {
    const { rows } = await this.pool.use((client) =>
      client.query<{ cell: string }>({ ...statements.cellAt, values: [place] }),
    );
    return rows[0] && Number(rows[0].cell);
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}

class PostgresHeatMap implements HeatMap {
  constructor(private readonly pool: ConnectionPool<Client>) {}

  async add({ count, cells, crossings, timesMs }: HeatMapRows, checkpoint?: StreamCheckpoint): Promise<void> {
    const columns = [cells, crossings, timesMs].map((column) => bigintArray(column, count));
    const query = checkpoint
      ? { ...statements.addWithCheckpoint, values: [...columns, ...checkpointValues(checkpoint)] }
      : { ...statements.add, values: columns };
    await this.pool.use((client) =>
      retried(async () => {
        const { rowCount } = await client.query(query);
        if (checkpoint && rowCount === 0) throw new StoreClaimed(checkpoint.partition);
      }, isRolledBack),
    );
  }

  async read(cell: number): Promise<HeatMapEntry | undefined> {
    const [entry] = await this.entries({ ...statements.read, values: [cell] });
    return entry;
  }

  async readMany(cells: readonly number[]): Promise<HeatMapEntry[]> {
    return inOrderOf(cells, await this.entries({ ...statements.readMany, values: [`{${cells.join(',')}}`] }));
  }

  range(fromMs: number, toMs: number): Promise<HeatMapEntry[]> {
    return this.entries({ ...statements.range, values: [fromMs, toMs] });
  }

  async saveCheckpoint(checkpoint: StreamCheckpoint): Promise<void> {
    const query = { ...statements.save, values: checkpointValues(checkpoint) };
    const { rowCount } = await this.pool.use((client) => client.query(query));
    if (rowCount === 0) throw new StoreClaimed(checkpoint.partition);
  }

  async checkpoint(partition: number): Promise<StreamCheckpoint | undefined> {
    type Saved = { partition: number; position: string; state: string };
    const { rows } = await this.pool.use((client) =>
      client.query<Saved>({ ...statements.checkpoint, values: [partition] }),
    );
    return rows[0] && { ...rows[0], position: Number(rows[0].position) };
  }

  async claim(partition: number): Promise<Claim> {
    type Claimed = { owner: string; position: string | null; state: string | null };
    const { rows } = await this.pool.use((client) =>
      client.query<Claimed>({ ...statements.claim, values: [partition] }),
    );
    const { owner, position, state } = rows[0] as Claimed;
    const checkpoint = position === null ? undefined : { partition, position: Number(position), state: state ?? '' };
    return { owner: Number(owner), checkpoint };
  }

  async storageBytes(): Promise<number> {
    const { rows } = await this.pool.use((client) => client.query<{ bytes: string }>(statements.storage));
    return Number(rows[0]?.bytes);
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  private entries(query: Query): Promise<HeatMapEntry[]> {
    return readEntries(this.pool, query);
  }
}

interface Query {
  name: string;
  text: string;
  values: unknown[];
}

async function readEntries(pool: ConnectionPool<Client>, query: Query): Promise<HeatMapEntry[]> {
  const { rows } = await pool.use((client) => client.query<Row>(query));
  return rows.map(({ cell, crossings, event_time_ms }) => ({
    cell: Number(cell),
    crossings: Number(crossings),
    timeMs: Number(event_time_ms),
  }));
}

function checkpointValues({ partition, position, state, owner }: StreamCheckpoint): (string | number | null)[] {
  return [partition, position, state, owner ?? null];
}

/**
 * Heat maps in HBase: a table each, with the sums of writers and the records of partitions. HBase changes one row at a
 * time, so columns hold the sum of one writer, and readers add the sums up. Each creation has a new name: a late write
 * of an earlier job finds no table.
 */
import { randomBytes } from 'node:crypto';
import { ConnectionPool } from '../connection-pool.ts';
import { type HeatMap, type HeatMapEntry, type HeatMapOptions, inOrderOf, poolLimits } from '../heat-map/heat-map.ts';
import { inRange, summed } from '../heat-map/sums.ts';
import { SumsHeatMap } from '../heat-map/sums-heat-map.ts';
import { StoreRefused, StoreUnavailable } from '../store-error.ts';
import { withDatabase } from '../with-database.ts';
import { type HBaseConnection, hbaseDriver, isGone, RestError, withConnection } from './driver.ts';
import { bytesIn, cellsIn, decode, encode, keyOf, type RestRow, rowsIn, rowsToWrite, sumsIn } from './rows.ts';
import { scanCells, scanTimes } from './scan.ts';
import { clusterVersion, createTable, records, removeTable, tableExists, tableNames } from './tables.ts';

/** A new table is assigned to a server, and a removed one is disabled first. */
const schemaTimeoutMs = 60_000;
const connectTimeoutMs = 10_000;
const rowsPerWrite = 2000;
const notModified = 304;
/** The only column of the row of a partition. */
const record = encode(`${records}:record`);

/** @throws StoreRefused when the server denies an operation */
export async function createHeatMap(url: string, live: string): Promise<string> {
  // Names of heat maps contain no dot.
  const table = `${live}.${randomBytes(4).toString('hex')}`;
  await withSchema(url, 'create a heat map', async (connection) => {
    await removeAll(connection, live);
    await createTable(connection, table);
  });
  return withDatabase(url, table);
}

/** @throws StoreRefused when the server denies an operation */
export async function removeHeatMap(url: string, live: string): Promise<void> {
  await withSchema(url, 'remove a heat map', (connection) => removeAll(connection, live));
}

async function withSchema(
  url: string,
  what: string,
  change: (connection: HBaseConnection) => Promise<void>,
): Promise<void> {
  try {
    await withConnection(url, schemaTimeoutMs, change);
  } catch (error) {
    throw error instanceof RestError ? new StoreRefused(what, error) : error;
  }
}

/** Removes every heat map of this name: a process that was killed may have left one. */
async function removeAll(connection: HBaseConnection, live: string): Promise<void> {
  const tables = (await tableNames(connection)).filter((name) => name.startsWith(`${live}.`));
  for (const table of tables) await removeTable(connection, table);
}

export async function serverName(url: string): Promise<string> {
  return `HBase ${await withConnection(url, connectTimeoutMs, clusterVersion)}`;
}

export function openHeatMap(options: HeatMapOptions): HeatMap {
  return new HBaseHeatMap(options);
}

class HBaseHeatMap extends SumsHeatMap implements HeatMap {
  readonly #pool: ConnectionPool<HBaseConnection>;
  /** Path of the table. */
  readonly #table: string;

  constructor(options: HeatMapOptions) {
    super();
    this.#pool = new ConnectionPool(hbaseDriver(options.url), poolLimits(options));
    this.#table = new URL(options.url).pathname;
  }

  async read(cell: number): Promise<HeatMapEntry | undefined> {
    return summed(sumsIn(await this.#row(keyOf(cell)))).get(cell);
  }

  async readMany(cells: readonly number[]): Promise<HeatMapEntry[]> {
    return inOrderOf(cells, await this.#totals(cells));
  }

  async range(fromMs: number, toMs: number): Promise<HeatMapEntry[]> {
    const rows = await this.#use((connection) => scanTimes(connection, this.#table, [fromMs, toMs]));
    // The latest time of a cell can be that of another writer, or of a newer version.
    const entries = fromMs <= 0 ? [...summed(sumsIn(rows)).values()] : await this.#totals(cellsIn(rows));
    return inRange(entries, fromMs, toMs);
  }

  /** Values alone: the server reports whole megabytes, of files that it writes long after it has accepted the rows. */
  async storageBytes(): Promise<number> {
    return bytesIn(await this.#use((connection) => scanTimes(connection, this.#table, [0, Number.MAX_SAFE_INTEGER])));
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async load(partition: number): Promise<string | undefined> {
    const [row] = await this.#row(recordKey(partition));
    const [cell] = row?.Cell ?? [];
    return cell && decode(cell.$);
  }

  async replace(partition: number, before: string | undefined, after: string): Promise<boolean> {
    const path = `${this.#table}/${recordKey(partition)}?check=put`;
    // The last cell is the expected value; an empty one: none.
    const cells = [after, before ?? ''].map((text) => ({ column: record, $: encode(text) }));
    const body = JSON.stringify({ Row: [{ key: encode(recordKey(partition)), Cell: cells }] });
    const { status } = await this.#use((connection) =>
      connection.send({ method: 'PUT', path, body, expected: [200, notModified] }),
    );
    // The REST server repeats a request whose answer it has missed, and the second one finds our own record.
    return status !== notModified || (await this.load(partition)) === after;
  }

  async write(writer: string, entries: readonly HeatMapEntry[]): Promise<void> {
    for (let at = 0; at < entries.length; at += rowsPerWrite) {
      const body = rowsToWrite(writer, entries.slice(at, at + rowsPerWrite));
      // Each row has its own key: that of the path is not used.
      await this.#use((connection) => connection.send({ method: 'PUT', path: `${this.#table}/rows`, body }));
    }
  }

  async #totals(cells: readonly number[]): Promise<HeatMapEntry[]> {
    if (cells.length === 0) return [];
    const rows = await this.#use((connection) => scanCells(connection, this.#table, cells));
    return [...summed(sumsIn(rows)).values()];
  }

  /** Empty for a missing row. */
  #row(key: string): Promise<RestRow[]> {
    return this.#use(async (connection) => {
      const request = { method: 'GET', path: `${this.#table}/${key}`, expected: [200, 404] } as const;
      const { status, text } = await connection.send(request);
      if (status === 200) return rowsIn(text);
      // A missing table has the same status.
      if (!(await tableExists(connection, this.#table))) throw this.#gone();
      return [];
    });
  }

  #use<T>(operation: (connection: HBaseConnection) => Promise<T>): Promise<T> {
    return this.#pool.use(async (connection) => {
      try {
        return await operation(connection);
      } catch (error) {
        throw isGone(error) ? this.#gone(error) : error;
      }
    });
  }

  #gone(cause?: unknown): StoreUnavailable {
    return new StoreUnavailable(`the heat map ${this.#table.slice(1)} does not exist any more on its server`, cause);
  }
}

function recordKey(partition: number): string {
  return `partition-${partition}`;
}

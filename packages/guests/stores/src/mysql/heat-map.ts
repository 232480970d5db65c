/** Heat maps in MariaDB and MySQL: a database each. */
import type { Connection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import { type ConnectionDriver, ConnectionPool } from '../connection-pool.ts';
import {
  type Claim,
  type HeatMap,
  type HeatMapEntry,
  type HeatMapOptions,
  type HeatMapRows,
  inOrderOf,
  poolLimits,
  type StreamCheckpoint,
} from '../heat-map/heat-map.ts';
import { retried } from '../heat-map/retried.ts';
import { preparationFailure, StoreClaimed, StoreRefused } from '../store-error.ts';
import { withDatabase } from '../with-database.ts';
import { connectTo, mysqlDriver } from './driver.ts';
import { addStatement, heatMapTables, heatMapStatements as statements } from './heat-map-statements.ts';

const connectTimeoutMs = 10_000;

/** @throws StoreRefused when the server denies an operation */
export async function createHeatMap(url: string, live: string): Promise<string> {
  const connection = await connectTo(url, connectTimeoutMs);
  try {
    await connection.query(`DROP DATABASE IF EXISTS \`${live}\``);
    await connection.query(`CREATE DATABASE \`${live}\` CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`);
    await connection.query(`USE \`${live}\``);
    for (const table of heatMapTables) await connection.query(table);
  } catch (error) {
    throw preparationFailure('create a heat map', error);
  } finally {
    connection.destroy();
  }
  return withDatabase(url, live);
}

/** @throws StoreRefused when the server denies an operation */
export async function removeHeatMap(url: string, live: string): Promise<void> {
  const connection = await connectTo(url, connectTimeoutMs);
  try {
    await connection.query(`DROP DATABASE IF EXISTS \`${live}\``);
  } catch (error) {
    throw new StoreRefused('remove a heat map', error);
  } finally {
    connection.destroy();
  }
}

export function openHeatMap(options: HeatMapOptions): HeatMap {
  return new MysqlHeatMap(new ConnectionPool(withoutGapLocks(options), poolLimits(options)));
}

/** At the default isolation level, upserts of different cells lock the gaps between them and deadlock. */
function withoutGapLocks({ url, timeoutMs }: HeatMapOptions): ConnectionDriver<Connection> {
  const driver = mysqlDriver(url, timeoutMs);
  const connect = async (): Promise<Connection> => {
    const connection = await driver.connect();
    await connection.query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED');
    return connection;
  };
  return { ...driver, connect };
}

const rolledBackErrors = new Set([1213, 1205]);

/** Deadlock, lock wait timeout. */
function isRolledBack(error: unknown): boolean {
  return rolledBackErrors.has((error as { errno?: number }).errno ?? 0);
}

interface Row {
  cell: number;
  crossings: number;
  event_time_ms: number;
}

class MysqlHeatMap implements HeatMap {
  constructor(private readonly pool: ConnectionPool<Connection>) {}

  async add(rows: HeatMapRows, checkpoint?: StreamCheckpoint): Promise<void> {
    const text = rows.count > 0 ? addStatement(rows) : undefined;
    await this.pool.use((connection) => retried(() => addOnce(connection, text, checkpoint), isRolledBack));
  }

  async read(cell: number): Promise<HeatMapEntry | undefined> {
    const [entry] = await this.entries(statements.read, [cell]);
    return entry;
  }

  async readMany(cells: readonly number[]): Promise<HeatMapEntry[]> {
    if (cells.length === 0) return [];
    return inOrderOf(cells, await this.entries(statements.readMany(cells), []));
  }

  range(fromMs: number, toMs: number): Promise<HeatMapEntry[]> {
    return this.entries(statements.range, [fromMs, toMs]);
  }

  async saveCheckpoint(checkpoint: StreamCheckpoint): Promise<void> {
    await this.pool.use((connection) => save(connection, checkpoint));
  }

  async checkpoint(partition: number): Promise<StreamCheckpoint | undefined> {
    const [rows] = await this.pool.use((connection) =>
      connection.query<RowDataPacket[]>(statements.checkpoint, [partition]),
    );
    return rows[0] && { partition, position: Number(rows[0].position), state: String(rows[0].state) };
  }

  async claim(partition: number): Promise<Claim> {
    let claimed: RowDataPacket | undefined;
    await this.pool.use((connection) =>
      retried(
        () =>
          inTransaction(connection, async () => {
            // Waits for the transaction of an earlier owner that has begun to save.
            await connection.query(statements.claim, [partition]);
            const [rows] = await connection.query<RowDataPacket[]>(statements.claimed, [partition]);
            claimed = rows[0];
          }),
        isRolledBack,
      ),
    );
    const { owner, position, state } = claimed as RowDataPacket;
    const checkpoint = position === null ? undefined : { partition, position: Number(position), state: String(state) };
    return { owner: Number(owner), checkpoint };
  }

  async storageBytes(): Promise<number> {
    const [rows] = await this.pool.use(async (connection) => {
      // The server counts pages when it updates its statistics.
      await connection.query(statements.analyze);
      return connection.query<RowDataPacket[]>(statements.storage);
    });
    return Number(rows[0]?.bytes);
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  private async entries(text: string, values: number[]): Promise<HeatMapEntry[]> {
    const [rows] = await this.pool.use((connection) => connection.query<RowDataPacket[]>(text, values));
    return (rows as Row[]).map(({ cell, crossings, event_time_ms: timeMs }) => ({ cell, crossings, timeMs }));
  }
}

async function addOnce(connection: Connection, text: string | undefined, checkpoint: StreamCheckpoint | undefined) {
  if (!checkpoint) return void (text && (await connection.query(text)));
  await inTransaction(connection, async () => {
    // First, so that a job without ownership does no other work.
    await save(connection, checkpoint);
    if (text) await connection.query(text);
  });
}

async function inTransaction(connection: Connection, work: () => Promise<void>): Promise<void> {
  await connection.query('START TRANSACTION');
  try {
    await work();
    await connection.query('COMMIT');
  } catch (error) {
    // Fails only on a lost connection, whose transaction ends with it.
    await connection.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

async function save(connection: Connection, { partition, position, state, owner }: StreamCheckpoint): Promise<void> {
  if (owner === undefined) return void (await connection.query(statements.save, [partition, position, state]));
  // No row also when nothing changes, as with a last checkpoint that equals the one before.
  const [{ affectedRows }] = await connection.query<ResultSetHeader>(statements.saveAsOwner, [
    position,
    state,
    partition,
    owner,
  ]);
  if (affectedRows > 0) return;
  const [rows] = await connection.query<RowDataPacket[]>(statements.claimed, [partition]);
  if (Number(rows[0]?.owner) !== owner) throw new StoreClaimed(partition);
}

/** Heat maps on a MongoDB-protocol server: a database each. */
import { type ClientSession, type Collection, type Db, MongoClient } from 'mongodb';
import { ConnectionPool } from '../connection-pool.ts';
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
import { preparationFailure, StoreClaimed, StoreRefused } from '../store-error.ts';
import { withMongoDatabase } from '../with-database.ts';
import { clientDriver } from './driver.ts';

const connectTimeoutMs = 10_000;

interface Cell {
  /** The cell. */
  _id: number;
  crossings: number;
  timeMs: number;
}

interface Saved {
  /** The partition. */
  _id: number;
  /** Absent before the first checkpoint of a claimed partition. */
  position?: number;
  state?: string;
  owner?: number;
}

/** @throws StoreRefused when the server denies an operation */
export async function createHeatMap(url: string, live: string): Promise<string> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: connectTimeoutMs });
  try {
    const db = client.db(live);
    await db.dropDatabase();
    await db.collection<Cell>('heat_map').createIndex({ timeMs: 1, _id: 1 });
    // A transaction cannot create a collection on every server.
    await db.createCollection('checkpoints');
  } catch (error) {
    throw preparationFailure('create a heat map', error);
  } finally {
    await client.close();
  }
  return withMongoDatabase(url, live);
}

/** @throws StoreRefused when the server denies an operation */
export async function removeHeatMap(url: string, live: string): Promise<void> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: connectTimeoutMs });
  try {
    await client.db(live).dropDatabase();
  } catch (error) {
    throw new StoreRefused('remove a heat map', error);
  } finally {
    await client.close();
  }
}

/** A server has transactions as a member of a replica set, or as the router of a sharded cluster. */
export async function hasTransactions(url: string): Promise<boolean> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: connectTimeoutMs });
  try {
    const { setName, msg } = await client.db('admin').command({ hello: 1 });
    return setName !== undefined || msg === 'isdbgrid';
  } finally {
    await client.close();
  }
}

export function openHeatMap(options: HeatMapOptions): HeatMap {
  const driver = clientDriver(options.url, options.connections, options.timeoutMs);
  return new MongoHeatMap(driver.client, new ConnectionPool(driver, poolLimits(options)));
}

class MongoHeatMap implements HeatMap {
  constructor(
    private readonly client: MongoClient,
    private readonly pool: ConnectionPool<Db>,
  ) {}

  /** A checkpoint needs transactions, which a MongoDB server has only as a member of a replica set. */
  async add({ count, cells, crossings, timesMs }: HeatMapRows, checkpoint?: StreamCheckpoint): Promise<void> {
    const updates = Array.from({ length: count }, (_, i) => ({
      updateOne: {
        filter: { _id: cells[i] as number },
        update: { $inc: { crossings: crossings[i] as number }, $max: { timeMs: timesMs[i] as number } },
        upsert: true,
      },
    }));
    await this.pool.use(async (db) => {
      if (!checkpoint) return void (count > 0 && (await cellsOf(db).bulkWrite(updates, { ordered: false })));
      await this.client.withSession((session) =>
        session.withTransaction(async () => {
          await save(db, checkpoint, session);
          if (count > 0) await cellsOf(db).bulkWrite(updates, { session });
        }),
      );
    });
  }

  async read(cell: number): Promise<HeatMapEntry | undefined> {
    const document = await this.pool.use((db) => cellsOf(db).findOne({ _id: cell }));
    return document ? toEntry(document) : undefined;
  }

  async readMany(cells: readonly number[]): Promise<HeatMapEntry[]> {
    const found = await this.pool.use((db) =>
      cellsOf(db)
        .find({ _id: { $in: [...cells] } }, { batchSize: cells.length + 1 })
        .toArray(),
    );
    return inOrderOf(cells, found.map(toEntry));
  }

  async range(fromMs: number, toMs: number): Promise<HeatMapEntry[]> {
    const found = await this.pool.use((db) =>
      cellsOf(db)
        .find({ timeMs: { $gte: fromMs, $lt: toMs } }, { sort: { timeMs: 1, _id: 1 } })
        .toArray(),
    );
    return found.map(toEntry);
  }

  async saveCheckpoint(checkpoint: StreamCheckpoint): Promise<void> {
    await this.pool.use((db) => save(db, checkpoint));
  }

  async claim(partition: number): Promise<Claim> {
    const options = { upsert: true, returnDocument: 'after' } as const;
    const saved = await this.pool.use((db) =>
      savedOf(db).findOneAndUpdate({ _id: partition }, { $inc: { owner: 1 } }, options),
    );
    return { owner: saved?.owner ?? 0, checkpoint: saved ? checkpointOf(saved) : undefined };
  }

  async checkpoint(partition: number): Promise<StreamCheckpoint | undefined> {
    const saved = await this.pool.use((db) => savedOf(db).findOne({ _id: partition }));
    return saved ? checkpointOf(saved) : undefined;
  }

  /** Documents before compression: the files of a MongoDB server grow at its checkpoints only, a minute apart. */
  async storageBytes(): Promise<number> {
    const about = await this.pool.use((db) => db.command({ collStats: 'heat_map' }));
    return Number(about.size) + Number(about.totalIndexSize);
  }

  async close(): Promise<void> {
    await this.pool.close();
    await this.client.close();
  }
}

function cellsOf(db: Db): Collection<Cell> {
  return db.collection<Cell>('heat_map');
}

function savedOf(db: Db): Collection<Saved> {
  return db.collection<Saved>('checkpoints');
}

async function save(db: Db, checkpoint: StreamCheckpoint, session?: ClientSession): Promise<void> {
  const { partition, position, state, owner } = checkpoint;
  const [filter, upsert] = owner === undefined ? [{ _id: partition }, true] : [{ _id: partition, owner }, false];
  const options = { upsert, ...(session && { session }) };
  const { matchedCount } = await savedOf(db).updateOne(filter, { $set: { position, state } }, options);
  if (owner !== undefined && matchedCount === 0) throw new StoreClaimed(partition);
}

function checkpointOf({ _id: partition, position, state = '' }: Saved): StreamCheckpoint | undefined {
  return position === undefined ? undefined : { partition, position, state };
}

function toEntry({ _id, crossings, timeMs }: Cell): HeatMapEntry {
  return { cell: _id, crossings, timeMs };
}

/** Heat maps in Redis and Valkey: four keys each. */
import { ConnectionPool } from '../connection-pool.ts';
import {
  type Claim,
  type HeatMap,
  type HeatMapEntry,
  type HeatMapOptions,
  type HeatMapRows,
  poolLimits,
  type StreamCheckpoint,
} from '../heat-map/heat-map.ts';
import { preparationFailure, StoreClaimed } from '../store-error.ts';
import { connectTo, placeOf, type RedisConnection, redisDriver } from './driver.ts';
import { addScript, claimScript } from './heat-map-script.ts';
import { removeKeys } from './remove-keys.ts';
import { Script } from './script.ts';

const connectTimeoutMs = 10_000;

/** @throws StoreRefused when the server denies an operation */
export async function createHeatMap(url: string, live: string): Promise<string> {
  const place = placeOf(url);
  const client = await connectTo(place.url, connectTimeoutMs);
  try {
    await removeKeys(client, `${live}:`);
  } catch (error) {
    throw preparationFailure('create a heat map', error);
  } finally {
    client.destroy();
  }
  return `${place.url}#${live}`;
}

/** @throws StoreRefused when the server denies an operation */
export async function removeHeatMap(url: string, live: string): Promise<void> {
  await createHeatMap(url, live);
}

export function openHeatMap(options: HeatMapOptions): HeatMap {
  const place = placeOf(options.url);
  return new RedisHeatMap(
    place.prefix,
    new ConnectionPool(redisDriver(place.url, options.timeoutMs), poolLimits(options)),
  );
}

class RedisHeatMap implements HeatMap {
  private readonly addRows = new Script(addScript);
  private readonly claimPartition = new Script(claimScript);
  private readonly crossings: string;
  private readonly times: string;
  private readonly checkpoints: string;
  private readonly owners: string;

  constructor(
    prefix: string,
    private readonly pool: ConnectionPool<RedisConnection>,
  ) {
    this.crossings = `${prefix}:crossings`;
    this.times = `${prefix}:times`;
    this.checkpoints = `${prefix}:checkpoints`;
    this.owners = `${prefix}:owners`;
  }

  async add({ count, cells, crossings, timesMs }: HeatMapRows, checkpoint?: StreamCheckpoint): Promise<void> {
    const words = ['4', this.crossings, this.times, this.checkpoints, this.owners, ...checkpointWords(checkpoint)];
    for (let i = 0; i < count; i++) words.push(String(cells[i]), String(crossings[i]), String(timesMs[i]));
    const isAdded = await this.pool.use((client) => this.addRows.run(client, words));
    if (checkpoint && Number(isAdded) === 0) throw new StoreClaimed(checkpoint.partition);
  }

  async read(cell: number): Promise<HeatMapEntry | undefined> {
    const [entry] = await this.readMany([cell]);
    return entry;
  }

  async readMany(cells: readonly number[]): Promise<HeatMapEntry[]> {
    if (cells.length === 0) return [];
    const words = cells.map(String);
    const [crossings, times] = await this.pool.use((client) =>
      Promise.all([
        client.sendCommand(['HMGET', this.crossings, ...words]) as Promise<(string | null)[]>,
        client.sendCommand(['ZMSCORE', this.times, ...words]) as Promise<(string | number | null)[]>,
      ]),
    );
    return cells.flatMap((cell, i) =>
      crossings[i] == null ? [] : { cell, crossings: Number(crossings[i]), timeMs: Number(times[i]) },
    );
  }

  async range(fromMs: number, toMs: number): Promise<HeatMapEntry[]> {
    const words = ['ZRANGEBYSCORE', this.times, String(fromMs), `(${toMs}`];
    const cells = (await this.pool.use((client) => client.sendCommand(words))) as string[];
    const entries: HeatMapEntry[] = [];
    for (let from = 0; from < cells.length; from += cellsPerRead) {
      entries.push(...(await this.readMany(cells.slice(from, from + cellsPerRead).map(Number))));
    }
    // The server orders equal scores as texts.
    return entries.sort((a, b) => a.timeMs - b.timeMs || a.cell - b.cell);
  }

  async saveCheckpoint(checkpoint: StreamCheckpoint): Promise<void> {
    const none = new Float64Array(0);
    await this.add({ count: 0, cells: none, crossings: none, timesMs: none }, checkpoint);
  }

  async checkpoint(partition: number): Promise<StreamCheckpoint | undefined> {
    const saved = await this.pool.use((client) => client.sendCommand(['HGET', this.checkpoints, String(partition)]));
    return checkpointOf(partition, saved);
  }

  async claim(partition: number): Promise<Claim> {
    const words = ['2', this.checkpoints, this.owners, String(partition)];
    const claimed = await this.pool.use((client) => this.claimPartition.run(client, words));
    // Without a checkpoint, the script's `false` arrives as null.
    const [owner, saved] = claimed as [unknown, unknown];
    return { owner: Number(owner), checkpoint: checkpointOf(partition, saved) };
  }

  async storageBytes(): Promise<number> {
    const sizes = await this.pool.use((client) =>
      Promise.all(
        [this.crossings, this.times].map((key) => client.sendCommand(['MEMORY', 'USAGE', key, 'SAMPLES', samples])),
      ),
    );
    return sizes.reduce((sum: number, bytes) => sum + Number(bytes ?? 0), 0);
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}

/** Fields of a key whose size the server reads, to derive that of all. */
const samples = '100';

/** Cells of one command: a script or command with very many arguments delays every other client. */
const cellsPerRead = 10_000;

function checkpointWords(checkpoint: StreamCheckpoint | undefined): string[] {
  if (!checkpoint) return ['', '', '', ''];
  const { partition, position, state, owner } = checkpoint;
  return [String(partition), String(position), state, owner === undefined ? '' : String(owner)];
}

function checkpointOf(partition: number, saved: unknown): StreamCheckpoint | undefined {
  if (saved === null || saved === undefined) return undefined;
  const text = String(saved);
  const space = text.indexOf(' ');
  return { partition, position: Number(text.slice(0, space)), state: text.slice(space + 1) };
}

/**
 * A heat map with a Hazelcast grid in front of its database: adds are acknowledged by the grid and flushed to the
 * database at intervals, and read cells are cached in the grid. The flush runs in this process, not in a member.
 */
import { randomUUID } from 'node:crypto';
import type { DistributedObject, IMap } from 'hazelcast-client';
import {
  type Claim,
  type HeatMap,
  type HeatMapEntry,
  type HeatMapRows,
  inOrderOf,
  type StreamCheckpoint,
} from '../heat-map/heat-map.ts';
import { Generation, isMapOf, type Sum } from './generation.ts';
import { connectGrid, type Grid, gridError } from './grid.ts';

export interface WriteBehindOptions {
  /** Behind the grid; closed with it. */
  heatMap: HeatMap;
  /** `hazelcast://host:port/cluster` */
  gridUrl: string;
  /** Name of the heat map: the prefix of its maps in the grid. */
  name: string;
  /** Time between the end of a flush and the start of the next one. */
  flushMs: number;
  timeoutMs: number;
}

/** @throws StoreUnavailable when no member answers, TopoBenchError `TB_STORE_URL` */
export async function openWriteBehind(options: WriteBehindOptions): Promise<WriteBehindHeatMap> {
  return new WriteBehindHeatMap(await connectGrid(options.gridUrl, options.timeoutMs), options);
}

export class WriteBehindHeatMap implements HeatMap {
  readonly #grid: Grid;
  readonly #heatMap: HeatMap;
  readonly #prefix: string;
  readonly #own: string;
  readonly #flushMs: number;
  #generations = 0;
  #current: Generation;
  /** Being flushed. */
  #previous: Generation | undefined;
  /** Reads and the change of the database exclude each other: a sum is in one of the two places. */
  readonly #reads = new Set<Promise<unknown>>();
  #flushing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failure: Error | undefined;
  #cache: Promise<IMap<string, Sum>> | undefined;
  /** Maps of jobs before the claims of this one. */
  readonly #ofOthers = new Map<string, DistributedObject>();

  constructor(grid: Grid, { heatMap, name, flushMs }: WriteBehindOptions) {
    this.#grid = grid;
    this.#heatMap = heatMap;
    this.#flushMs = flushMs;
    this.#prefix = `${name}/`;
    this.#own = `${this.#prefix}${randomUUID()}`;
    this.#current = this.#newGeneration();
    this.#schedule();
  }

  /** Crossings that the grid has acknowledged and the database does not have: what the death of the grid loses. */
  get unflushedCrossings(): number {
    return this.#current.crossings + (this.#previous?.crossings ?? 0);
  }

  async add(rows: HeatMapRows, checkpoint?: StreamCheckpoint): Promise<void> {
    this.#requireAlive();
    try {
      await this.#current.add(rows, checkpoint);
    } catch (error) {
      // The grid may have a part of the rows, so nothing of it is flushed any more.
      throw this.#fail(error);
    }
  }

  async saveCheckpoint(checkpoint: StreamCheckpoint): Promise<void> {
    this.#requireAlive();
    this.#current.saveCheckpoint(checkpoint);
  }

  /** The database has the checkpoint; what only the grid has is lost with it. */
  checkpoint(partition: number): Promise<StreamCheckpoint | undefined> {
    return this.#heatMap.checkpoint(partition);
  }

  /** Also drops rows of jobs that died before a flush: their checkpoints were not flushed either. */
  async claim(partition: number): Promise<Claim> {
    await this.flush();
    // First: an earlier job that is alive must not flush the checkpoint of removed rows.
    const claim = await this.#heatMap.claim(partition);
    try {
      for (const object of await this.#grid.getDistributedObjects()) {
        const name = object.getName();
        if (!name.startsWith(this.#prefix) || name.startsWith(this.#own)) continue;
        if (isMapOf(partition, name)) await object.destroy();
        else this.#ofOthers.set(name, object);
      }
    } catch (error) {
      throw gridError(error);
    }
    return claim;
  }

  async read(cell: number): Promise<HeatMapEntry | undefined> {
    const [entry] = await this.readMany([cell]);
    return entry;
  }

  async readMany(cells: readonly number[]): Promise<HeatMapEntry[]> {
    this.#requireAlive();
    while (this.#flushing) await this.#flushing;
    const reading = this.#readMany(cells);
    this.#reads.add(reading);
    try {
      return await reading;
    } finally {
      this.#reads.delete(reading);
    }
  }

  async range(fromMs: number, toMs: number): Promise<HeatMapEntry[]> {
    await this.flush();
    return this.#heatMap.range(fromMs, toMs);
  }

  async storageBytes(): Promise<number> {
    await this.flush();
    return this.#heatMap.storageBytes();
  }

  /** Writes to the database what the grid has acknowledged so far. */
  async flush(): Promise<void> {
    while (this.#flushing) await this.#flushing;
    this.#requireAlive();
    const flushing = this.#flush().finally(() => {
      this.#flushing = undefined;
    });
    this.#flushing = flushing.catch(() => {});
    await flushing;
  }

  /** Flushes, unless grid or database have failed, and removes its maps from the grid. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      if (!this.#failure) await this.flush();
    } finally {
      this.#failure ??= gridError(new Error('it is closed'));
      clearTimeout(this.#timer);
      await Promise.allSettled([this.#current.remove(), this.#previous?.remove()]);
      // Their partitions are claimed by now: checkpoints of these rows are not saved any more.
      await Promise.allSettled([...this.#ofOthers.values()].map((object) => object.destroy()));
      await (await this.#cache?.catch(() => undefined))?.destroy().catch(() => {});
      await this.#grid.shutdown().catch(() => {});
      await this.#heatMap.close();
    }
  }

  async #readMany(cells: readonly number[]): Promise<HeatMapEntry[]> {
    const known = new Map<number, HeatMapEntry>();
    const add = (cell: number, [crossings, timeMs]: Sum): void => {
      const was = known.get(cell);
      const latestMs = Math.max(was?.timeMs ?? 0, timeMs);
      known.set(cell, { cell, crossings: (was?.crossings ?? 0) + crossings, timeMs: latestMs });
    };
    try {
      this.#cache ??= this.#grid.getMap<string, Sum>(`${this.#own}/cache`);
      const cache = await this.#cache;
      for (const [cell, sum] of await cache.getAll(cells.map(String))) add(Number(cell), sum);
      const missing = cells.filter((cell) => !known.has(cell));
      const found = missing.length > 0 ? await this.#heatMap.readMany(missing) : [];
      const sums = found.map(({ cell, crossings, timeMs }): [number, Sum] => [cell, [crossings, timeMs]]);
      if (sums.length > 0) await cache.setAll(sums.map(([cell, sum]) => [String(cell), sum]));
      for (const [cell, sum] of new Map(sums)) add(cell, sum);
      for (const [cell, sum] of await this.#current.sumsOf(cells)) add(cell, sum);
    } catch (error) {
      throw gridError(error);
    }
    return inOrderOf(cells, [...known.values()]);
  }

  async #flush(): Promise<void> {
    const generation = this.#current;
    this.#previous = generation;
    this.#current = this.#newGeneration();
    try {
      await Promise.allSettled([generation.settled(), ...this.#reads]);
      this.#requireAlive();
      for await (const { entries, checkpoint } of generation.contents()) {
        if (checkpoint !== undefined || entries.length > 0) await this.#heatMap.add(rowsOf(entries), checkpoint);
        generation.crossings -= entries.reduce((total, { crossings }) => total + crossings, 0);
      }
      this.#previous = undefined;
      if (this.#cache) await (await this.#cache).clear();
      await generation.remove();
    } catch (error) {
      throw this.#fail(error);
    }
  }

  #newGeneration(): Generation {
    return new Generation(this.#grid, `${this.#own}/${this.#generations++}`);
  }

  #schedule(): void {
    this.#timer = setTimeout(() => {
      if (this.#failure) return;
      this.flush().then(
        () => this.#schedule(),
        () => {},
      );
    }, this.#flushMs);
    this.#timer.unref();
  }

  #requireAlive(): void {
    if (this.#failure) throw this.#failure;
  }

  #fail(error: unknown): Error {
    this.#failure ??= gridError(error);
    return this.#failure;
  }
}

function rowsOf(entries: readonly HeatMapEntry[]): HeatMapRows {
  return {
    count: entries.length,
    cells: Float64Array.from(entries, ({ cell }) => cell),
    crossings: Float64Array.from(entries, ({ crossings }) => crossings),
    timesMs: Float64Array.from(entries, ({ timeMs }) => timeMs),
  };
}

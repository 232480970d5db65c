/**
 * What the grid has accepted between two flushes: a map of sums for each partition, and their checkpoints. A generation
 * is flushed as a whole, so that checkpoints and rows match.
 */
import type { IMap } from 'hazelcast-client';
import type { HeatMapEntry, HeatMapRows, StreamCheckpoint } from '../heat-map/heat-map.ts';
import type { Grid } from './grid.ts';

/** Crossings and time. */
export type Sum = [crossings: number, timeMs: number];

/** Rows without a checkpoint belong to no partition. */
const shared = 'shared';

interface Part {
  map: Promise<IMap<string, Sum>>;
  /** Adds to one map follow one another: each reads the sums of the one before. */
  last: Promise<unknown>;
  checkpoint: StreamCheckpoint | undefined;
}

/** @param name of a map of any generation @returns whether it has rows of the partition */
export function isMapOf(partition: number, name: string): boolean {
  return name.endsWith(`/${partition}`);
}

export class Generation {
  /** Acknowledged by the grid, and not yet flushed. */
  crossings = 0;
  readonly #grid: Grid;
  readonly #name: string;
  readonly #parts = new Map<string, Part>();
  readonly #checkpoints = new Map<number, StreamCheckpoint>();

  /** @param name prefix of its maps */
  constructor(grid: Grid, name: string) {
    this.#grid = grid;
    this.#name = name;
  }

  add(rows: HeatMapRows, checkpoint?: StreamCheckpoint): Promise<void> {
    const part = this.#part(checkpoint === undefined ? shared : String(checkpoint.partition));
    const added = part.last.then(async () => {
      const crossings = await addTo(await part.map, rows);
      if (checkpoint) part.checkpoint = checkpoint;
      this.crossings += crossings;
    });
    part.last = added.catch(() => {});
    return added;
  }

  /** The rows were added without it. */
  saveCheckpoint(checkpoint: StreamCheckpoint): void {
    this.#checkpoints.set(checkpoint.partition, checkpoint);
  }

  async settled(): Promise<void> {
    await Promise.all([...this.#parts.values()].map(({ last }) => last));
  }

  /** Checkpoints of rows that were added without them come last. */
  async *contents(): AsyncGenerator<{ entries: HeatMapEntry[]; checkpoint: StreamCheckpoint | undefined }> {
    for (const { map, checkpoint } of this.#parts.values()) {
      const sums = await (await map).entrySet();
      const entries = sums.map(([cell, [crossings, timeMs]]) => ({ cell: Number(cell), crossings, timeMs }));
      yield { entries, checkpoint };
    }
    for (const checkpoint of this.#checkpoints.values()) yield { entries: [], checkpoint };
  }

  /** Sums of these cells. */
  async sumsOf(cells: readonly number[]): Promise<[cell: number, sum: Sum][]> {
    const found = await Promise.all(
      [...this.#parts.values()].map(async ({ map }) => (await map).getAll(cells.map(String))),
    );
    return found.flat().map(([cell, sum]) => [Number(cell), sum]);
  }

  /** May be called again. */
  async remove(): Promise<void> {
    await Promise.all([...this.#parts.values()].map(async ({ map }) => (await map).destroy()));
  }

  #part(name: string): Part {
    const known = this.#parts.get(name);
    if (known) return known;
    const part: Part = {
      map: this.#grid.getMap<string, Sum>(`${this.#name}/${name}`),
      last: Promise.resolve(),
      checkpoint: undefined,
    };
    this.#parts.set(name, part);
    return part;
  }
}

/** @returns crossings of the rows */
async function addTo(map: IMap<string, Sum>, { count, cells, crossings, timesMs }: HeatMapRows): Promise<number> {
  const keys = Array.from({ length: count }, (_, i) => String(cells[i]));
  const before = new Map(await map.getAll(keys));
  let total = 0;
  const sums = keys.map((key, i): [string, Sum] => {
    const [was, timeMs] = before.get(key) ?? [0, 0];
    total += crossings[i] as number;
    return [key, [was + (crossings[i] as number), Math.max(timeMs, timesMs[i] as number)]];
  });
  if (count > 0) await map.setAll(sums);
  return total;
}

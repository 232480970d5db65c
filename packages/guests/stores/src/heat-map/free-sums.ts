/**
 * Sums of rows that belong to no checkpoint, in a store without transactions: a writer of its own replaces its rows.
 * Writes of different cells run at the same time; those of common cells follow one another, so that the last one stays.
 */
import { randomUUID } from 'node:crypto';
import type { HeatMapEntry, HeatMapRows } from './heat-map.ts';
import { addedTo } from './sums.ts';

interface Write {
  cells: ReadonlySet<number>;
  done: Promise<unknown>;
}

export class FreeSums {
  readonly #write: (writer: string, entries: readonly HeatMapEntry[]) => Promise<void>;
  #writer = randomUUID();
  #sums = new Map<number, HeatMapEntry>();
  readonly #inFlight = new Set<Write>();

  /** @param write replaces the rows of the cells of a writer */
  constructor(write: (writer: string, entries: readonly HeatMapEntry[]) => Promise<void>) {
    this.#write = write;
  }

  async add(rows: HeatMapRows): Promise<void> {
    const cells = new Set(rows.cells.subarray(0, rows.count));
    for (let before = this.#conflictOf(cells); before; before = this.#conflictOf(cells)) await before.done;
    const sums = this.#sums;
    const entries = addedTo(sums, rows);
    const writing = this.#write(this.#writer, entries);
    const write = { cells, done: writing.catch(() => {}) };
    this.#inFlight.add(write);
    try {
      await writing;
      for (const entry of entries) sums.set(entry.cell, entry);
    } catch (error) {
      // The write may still arrive, and must not replace later sums.
      this.#writer = randomUUID();
      this.#sums = new Map();
      throw error;
    } finally {
      this.#inFlight.delete(write);
    }
  }

  #conflictOf(cells: ReadonlySet<number>): Write | undefined {
    for (const write of this.#inFlight) for (const cell of write.cells) if (cells.has(cell)) return write;
    return undefined;
  }
}

/**
 * The state of a stream's partition in a store without transactions over several rows: its checkpoint, and the sums
 * that its owner writes. Two operations of the store are enough: compare and set of one record, and writes of rows.
 *
 * Each owner writes under a name that no other process uses, an epoch, and replaces its own sums. A checkpoint is saved
 * with the rows that follow it, and then the rows are written. A new owner first ends the epoch in the record, and then
 * writes its last rows again: all rows of the checkpoint are then there, and late writes of that epoch are equal ones.
 */
import { randomBytes } from 'node:crypto';
import { StoreClaimed } from '../store-error.ts';
import { type Claim, type HeatMapEntry, type HeatMapRows, noRows, type StreamCheckpoint } from './heat-map.ts';
import { addedTo, decodeEntries, encodeEntries } from './sums.ts';

/** How a store keeps records of partitions, and rows of writers. */
export interface SumsStore {
  /** Record of a partition, as text. */
  load(partition: number): Promise<string | undefined>;
  /**
   * Replaces a record if it is still `before`; undefined: if there is none. No record is ever the same as another one.
   * @returns whether it was
   */
  replace(partition: number, before: string | undefined, after: string): Promise<boolean>;
  /** Replaces the rows of the cells of this writer. */
  write(writer: string, entries: readonly HeatMapEntry[]): Promise<void>;
}

/** A record of a partition. */
interface Saved {
  owner: number;
  /** Changes so far, so that no record ever returns. */
  sequence: number;
  /** Random, so that no two processes write equal records. */
  token: string;
  /** Number of the writer. */
  epoch: number;
  position?: number;
  state?: string;
  /** Rows of the last checkpoint, with their epoch: possibly not yet written. */
  pending?: { epoch: number; entries: string };
}

interface Current {
  /** The record as it is in the store. */
  text: string;
  saved: Saved;
  /** What this epoch has written. */
  sums: Map<number, HeatMapEntry>;
}

export class OwnedSums {
  readonly #store: SumsStore;
  readonly #partition: number;
  /** Undefined: unknown, also after a failed write. */
  #current: Current | undefined;

  constructor(store: SumsStore, partition: number) {
    this.#store = store;
    this.#partition = partition;
  }

  async checkpoint(): Promise<StreamCheckpoint | undefined> {
    const text = await this.#store.load(this.#partition);
    return text === undefined ? undefined : this.#checkpointOf(JSON.parse(text) as Saved);
  }

  async claim(): Promise<Claim> {
    const { saved } = await this.#begin((before) => before.owner + 1);
    return { owner: saved.owner, checkpoint: this.#checkpointOf(saved) };
  }

  /** @throws StoreClaimed */
  async save({ position, state, owner }: StreamCheckpoint, rows: HeatMapRows = noRows): Promise<void> {
    for (;;) {
      const { text, saved, sums } = await this.#currentOf(owner);
      const entries = addedTo(sums, rows);
      const { epoch, sequence } = saved;
      const pending = { epoch, entries: encodeEntries(entries).toString('base64') };
      const after: Saved = { ...saved, sequence: sequence + 1, token: newToken(), position, state, pending };
      const afterText = JSON.stringify(after);
      // Unknown until the rows are there.
      this.#current = undefined;
      if (!(await this.#store.replace(this.#partition, text, afterText))) continue;
      await this.#store.write(this.#writerOf(epoch), entries);
      for (const entry of entries) sums.set(entry.cell, entry);
      this.#current = { text: afterText, saved: after, sums };
      return;
    }
  }

  /** @throws StoreClaimed unless the owner is that of the partition */
  async #currentOf(owner: number | undefined): Promise<Current> {
    const known = this.#current;
    if (known && (owner === undefined || owner === known.saved.owner)) return known;
    return this.#begin((before) => {
      if (owner !== undefined && owner !== before.owner) throw new StoreClaimed(this.#partition);
      return before.owner;
    });
  }

  /** Begins an epoch: no other process writes rows of the earlier ones any more, except equal ones. */
  async #begin(ownerAfter: (before: Saved) => number): Promise<Current> {
    for (;;) {
      const before = await this.#store.load(this.#partition);
      const was: Saved =
        before === undefined ? { owner: 0, sequence: 0, token: '', epoch: 0 } : (JSON.parse(before) as Saved);
      const counts = { sequence: was.sequence + 1, epoch: was.epoch + 1 };
      const saved: Saved = { ...was, ...counts, owner: ownerAfter(was), token: newToken() };
      const text = JSON.stringify(saved);
      this.#current = undefined;
      if (!(await this.#store.replace(this.#partition, before, text))) continue;
      const { pending } = saved;
      if (pending) {
        await this.#store.write(this.#writerOf(pending.epoch), decodeEntries(Buffer.from(pending.entries, 'base64')));
      }
      this.#current = { text, saved, sums: new Map() };
      return this.#current;
    }
  }

  #writerOf(epoch: number): string {
    return `${this.#partition}/${epoch}`;
  }

  #checkpointOf({ position, state = '' }: Saved): StreamCheckpoint | undefined {
    return position === undefined ? undefined : { partition: this.#partition, position, state };
  }
}

function newToken(): string {
  return randomBytes(9).toString('base64url');
}

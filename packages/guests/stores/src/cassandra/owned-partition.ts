/**
 * The state of a stream's partition in Cassandra: its checkpoint, and the sums that its owner writes. A checkpoint is
 * saved by a lightweight transaction that compares owner and sequence, and includes the rows that follow it. A claim
 * writes the rows of the last checkpoint again: rows of an owner that has died are then all there.
 */
import { type Client, types } from 'cassandra-driver';
import {
  type Claim,
  type HeatMapEntry,
  type HeatMapRows,
  noRows,
  type StreamCheckpoint,
} from '../heat-map/heat-map.ts';
import { addedTo, decodeEntries, encodeEntries } from '../heat-map/sums.ts';
import { StoreClaimed } from '../store-error.ts';
import { heatMapStatements as statements } from './heat-map-statements.ts';
import { readRows, writeRows } from './rows.ts';

interface Saved {
  owner: number;
  /** Checkpoints so far: the time of their rows. */
  sequence: number;
  checkpoint: StreamCheckpoint | undefined;
  pending: Buffer | undefined;
}

/** Sees transactions that have begun. */
const serialRead = { consistency: types.consistencies.serial };

export class OwnedPartition {
  readonly #session: Client;
  readonly #partition: number;
  /** Undefined: unknown, also after a failed write. */
  #current: { owner: number; sequence: number; sums: Map<number, HeatMapEntry>; isComplete: boolean } | undefined;

  constructor(session: Client, partition: number) {
    this.#session = session;
    this.#partition = partition;
  }

  async saved(): Promise<Saved | undefined> {
    const { rows } = await this.#session.execute(statements.load, [this.#partition], serialRead);
    const row = rows[0] as (types.Row & Record<string, unknown>) | undefined;
    if (!row) return undefined;
    const { position, state, pending } = row;
    return {
      owner: Number(row.owner),
      sequence: Number(row.sequence),
      checkpoint:
        position == null
          ? undefined
          : { partition: this.#partition, position: Number(position), state: String(state ?? '') },
      pending: pending == null ? undefined : (pending as Buffer),
    };
  }

  async claim(): Promise<Claim> {
    for (;;) {
      const { owner, sequence } = await this.#start();
      const next = owner + 1;
      if (!(await this.#transact(statements.claim, [next, this.#partition, owner, sequence]))) continue;
      await this.#load();
      return { owner: next, checkpoint: (await this.saved())?.checkpoint };
    }
  }

  /** @throws StoreClaimed */
  async save({ position, state, owner }: StreamCheckpoint, rows: HeatMapRows = noRows): Promise<void> {
    for (;;) {
      const current = await this.#currentOf(owner);
      const entries = await this.#added(current, rows);
      const sequence = current.sequence + 1;
      // Unknown until the rows are there.
      this.#current = undefined;
      const values = [
        position,
        state,
        encodeEntries(entries),
        sequence,
        this.#partition,
        current.owner,
        current.sequence,
      ];
      if (!(await this.#transact(statements.save, values))) continue;
      await writeRows(this.#session, this.#writer, entries, sequence);
      for (const entry of entries) current.sums.set(entry.cell, entry);
      this.#current = { ...current, sequence };
      return;
    }
  }

  /** @throws StoreClaimed unless the owner is that of the partition */
  async #currentOf(owner: number | undefined) {
    const known = this.#current;
    if (known && (owner === undefined || owner === known.owner)) return known;
    const current = await this.#load();
    if (owner !== undefined && owner !== current.owner) throw new StoreClaimed(this.#partition);
    return current;
  }

  get #writer(): string {
    return `partition ${this.#partition}`;
  }

  async #added(
    current: { sums: Map<number, HeatMapEntry>; isComplete: boolean },
    rows: HeatMapRows,
  ): Promise<HeatMapEntry[]> {
    const { sums, isComplete } = current;
    const unknown = isComplete ? [] : Array.from(rows.cells.subarray(0, rows.count)).filter((cell) => !sums.has(cell));
    for (const entry of await readRows(this.#session, unknown, this.#writer)) sums.set(entry.cell, entry);
    return addedTo(sums, rows);
  }

  /** The row of the partition, which the first use creates. */
  async #start(): Promise<Saved> {
    for (;;) {
      const saved = await this.saved();
      if (saved) return saved;
      await this.#transact(statements.start, [this.#partition]);
    }
  }

  /** Writes the rows of the last checkpoint again: its writer may have died before them. */
  async #load() {
    const { owner, sequence, pending } = await this.#start();
    if (pending) await writeRows(this.#session, this.#writer, decodeEntries(pending), sequence);
    this.#current = { owner, sequence, sums: new Map(), isComplete: sequence === 0 };
    return this.#current;
  }

  /** @returns whether the row was as expected */
  async #transact(statement: string, values: unknown[]): Promise<boolean> {
    return (await this.#session.execute(statement, values, { isIdempotent: false })).wasApplied();
  }
}

/** What the bare drivers keep of stores in which a row has the sum of one writer: each writer of such a store must. */
import type { HeatMapEntry, StreamCheckpoint } from '@topo-bench/stores/heat-map';
import { addedTo, encodeEntries } from '@topo-bench/stores/heat-map/sums';
import type { Write } from './bare-driver.ts';

/** The sums that one writer has written. */
export class WriterSums {
  readonly #entries = new Map<number, HeatMapEntry>();

  of(rows: Write['rows']): HeatMapEntry[] {
    return addedTo(this.#entries, rows);
  }

  keep(entries: readonly HeatMapEntry[]): void {
    for (const entry of entries) this.#entries.set(entry.cell, entry);
  }
}

/** The record of a partition: its checkpoint, with the rows that follow it. */
export function newRecord(
  { position, state }: Pick<StreamCheckpoint, 'position' | 'state'>,
  entries: readonly HeatMapEntry[],
): string {
  return JSON.stringify({ position, state, pending: encodeEntries(entries).toString('base64') });
}

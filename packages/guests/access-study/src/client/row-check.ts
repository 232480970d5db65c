/**
 * The check of what arrives, with the clock stopped. Rows are checked batch by batch. Record batches wait until a limit
 * of bytes: a store fills socket buffers while the client checks, so stops should be few.
 */
import { TableChecksum, type TableDigest } from '@topo-bench/sources';
import type { RecordBatch, Schema } from 'apache-arrow';
import type { PartClock } from './part-clock.ts';

const maxKeptBytes = 64e6;

export class RowCheck {
  readonly #clock: PartClock;
  #checksum: TableChecksum | undefined;
  #kept: RecordBatch[] = [];
  #keptBytes = 0;

  constructor(clock: PartClock) {
    this.#clock = clock;
  }

  addRows(schema: Schema, rows: readonly Readonly<Record<string, unknown>>[]): void {
    this.#clock.outside(() => {
      this.#checksum ??= new TableChecksum(schema);
      this.#checksum.addRows(rows);
    });
  }

  addBatch(batch: RecordBatch): void {
    this.#kept.push(batch);
    this.#keptBytes += batch.data.byteLength;
    if (this.#keptBytes > maxKeptBytes) this.#clock.outside(() => this.#checkKept());
  }

  /** After the last row, when the clock no longer counts. */
  digest(): TableDigest {
    this.#checkKept();
    return (this.#checksum ?? new TableChecksum()).digest();
  }

  #checkKept(): void {
    this.#checksum ??= new TableChecksum();
    for (const batch of this.#kept) this.#checksum.addBatch(batch);
    this.#kept = [];
    this.#keptBytes = 0;
  }
}

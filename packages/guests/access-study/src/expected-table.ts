/** A table of a run that is loaded into the store of its cells, with the rows and values to expect. */
import { type LoadResult, loadTable, type SourceTable, TableChecksum, type TableData } from '@topo-bench/sources';
import type { RecordBatch } from 'apache-arrow';
import type { ExpectedRows } from './table-of-run.ts';

/** Expected results of the whole table, and of its first row. */
export interface ExpectedTable {
  all: ExpectedRows;
  'one-row': ExpectedRows;
  bytesPerRow: number;
}

export interface Load {
  table: SourceTable;
  data: TableData;
  /** Where its rows are known from, as `ExpectedRows` has it. */
  origin: string;
  signal: AbortSignal;
  /** Called with the number of rows so far. */
  onProgress: (rows: number) => void;
}

/**
 * The checksum is that of the values before any store has them.
 * @throws TopoBenchError what `loadTable` throws
 */
export async function loadExpected({ table, data, origin, signal, onProgress }: Load): Promise<ExpectedTable> {
  const checked = new Checked();
  const load = (each: (batch: RecordBatch) => void): Promise<LoadResult> =>
    loadTable(table, { ...data, batches: () => observed(data.batches(), each) }, { signal });
  const result = await load((batch) => {
    checked.add(batch);
    onProgress(checked.rows);
  });
  // A table from an earlier run is kept; its values are read once more for their checksum.
  if (result.skipped) for await (const batch of data.batches()) checked.add(batch);
  return checked.expected(origin);
}

/**
 * What the native driver yields of a table that nothing else is known about.
 * @param batches of all its rows
 */
export async function expectedOf(batches: AsyncIterable<RecordBatch>): Promise<ExpectedTable> {
  const checked = new Checked();
  for await (const batch of batches) checked.add(batch);
  return checked.expected('the native driver read them before the first repetition');
}

class Checked {
  readonly #checksum = new TableChecksum();
  #first: string | undefined;
  #bytes = 0;
  rows = 0;

  add(batch: RecordBatch): void {
    if (this.#first === undefined && batch.numRows > 0) {
      const first = new TableChecksum();
      first.addBatch(batch.slice(0, 1));
      this.#first = first.digest().hash;
    }
    this.#checksum.addBatch(batch);
    this.#bytes += batch.data.byteLength;
    this.rows += batch.numRows;
  }

  expected(origin: string): ExpectedTable {
    const { rows, hash } = this.#checksum.digest();
    const one = { rows: Math.min(1, rows), checksum: this.#first ?? hash, origin };
    return { all: { rows, checksum: hash, origin }, 'one-row': one, bytesPerRow: rows === 0 ? 0 : this.#bytes / rows };
  }
}

async function* observed(
  batches: AsyncIterable<RecordBatch> | Iterable<RecordBatch>,
  each: (batch: RecordBatch) => void,
): AsyncGenerator<RecordBatch> {
  for await (const batch of batches) {
    each(batch);
    yield batch;
  }
}

/** The seeded rows of `store_sales` as data of a load. */

import { type Data, Decimal, Field, Int32, makeData, RecordBatch, Schema, Struct } from 'apache-arrow';
import { StoreSales, storeSalesColumns } from './store-sales.ts';
import { loadBatchRows, type TableData } from './table-data.ts';

export const storeSalesSchema = new Schema(
  storeSalesColumns.map(
    ({ name, type }) => new Field(name, type === 'integer' ? new Int32() : new Decimal(2, 7, 128), true),
  ),
);

/** Law of the rows: a change makes loaded tables stale. */
const version = 1;

/** @param rows 1 or more */
export function storeSalesData({ rows, seed }: { rows: number; seed: number }): TableData {
  return {
    schema: storeSalesSchema,
    fingerprint: `store_sales v${version}, seed ${seed}, ${rows} rows`,
    batches: function* () {
      for (let first = 0; first < rows; first += loadBatchRows)
        yield storeSalesBatch(seed, first, Math.min(loadBatchRows, rows - first));
    },
  };
}

/** @param first number of the first row, from 0 */
function storeSalesBatch(seed: number, first: number, count: number): RecordBatch {
  const sales = new StoreSales(seed);
  const row: (number | undefined)[] = [];
  const columns = storeSalesColumns.map(({ type }) => new ColumnBuilder(type === 'decimal' ? 4 : 1, count));
  for (let i = 0; i < count; i++) {
    sales.row(first + i, row);
    for (let place = 0; place < columns.length; place++) (columns[place] as ColumnBuilder).set(i, row[place]);
  }
  const children = columns.map((column, place) => column.finish(storeSalesSchema.fields[place] as Field));
  const type = new Struct(storeSalesSchema.fields);
  return new RecordBatch(storeSalesSchema, makeData({ type, length: count, nullCount: 0, children }));
}

class ColumnBuilder {
  private readonly words: Int32Array;
  private readonly nullBitmap: Uint8Array;
  private nullCount = 0;

  constructor(
    private readonly width: 1 | 4,
    private readonly length: number,
  ) {
    this.words = new Int32Array(width * length);
    this.nullBitmap = new Uint8Array((length + 7) >> 3);
  }

  set(index: number, value: number | undefined): void {
    if (value === undefined) {
      this.nullCount++;
      return;
    }
    this.nullBitmap[index >> 3] = (this.nullBitmap[index >> 3] as number) | (1 << (index & 7));
    this.words[this.width * index] = value;
    // Decimals have 128 bits.
    if (this.width === 4 && value < 0) this.words.fill(-1, 4 * index + 1, 4 * index + 4);
  }

  finish({ type }: Field): Data {
    const { length, nullCount, nullBitmap, words, width } = this;
    const data = width === 4 ? new Uint32Array(words.buffer) : words;
    return makeData({ type, length, nullCount, nullBitmap, data } as never);
  }
}

/** The batches of the bench: four columns of 64-bit numbers, as in the benchmark of Arrow's C++ implementation. */
import { Field, Int64, makeData, RecordBatch, Schema, Struct } from 'apache-arrow';
import { noteBuilt } from './peers/our-account.ts';

export const schema = new Schema(['a', 'b', 'c', 'd'].map((name) => new Field(name, new Int64(), false)));

const batches = new Map<number, RecordBatch>();

/** The batch of so many rows; the same one each time. */
export function batchOf(rows: number): RecordBatch {
  const known = batches.get(rows);
  if (known) return known;
  noteBuilt();
  const children = schema.fields.map((_, column) => {
    const data = BigInt64Array.from({ length: rows }, (_, row) => BigInt(row + column));
    return makeData({ type: new Int64(), length: rows, nullCount: 0, data });
  });
  const batch = new RecordBatch(
    schema,
    makeData({ type: new Struct(schema.fields), length: rows, nullCount: 0, children }),
  );
  batches.set(rows, batch);
  return batch;
}

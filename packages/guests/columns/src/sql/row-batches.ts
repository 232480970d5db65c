/** Collects result rows into record batches. */
import { Data, RecordBatch, type Schema, Struct } from 'apache-arrow';
import { columnData } from './column-data.ts';
import type { SqlRow } from './sql-source.ts';

/** A batch is complete at either limit; only the last one can be smaller. */
const rowsOfBatch = 16_384;
const charactersOfBatch = 1024 ** 2;

export async function* rowBatches(
  schema: Schema,
  chunks: AsyncIterable<readonly SqlRow[]>,
): AsyncGenerator<RecordBatch, void, void> {
  let rows: SqlRow[] = [];
  let characters = 0;
  for await (const chunk of chunks) {
    for (const row of chunk) {
      rows.push(row);
      for (const value of row) characters += value?.length ?? 0;
      if (rows.length < rowsOfBatch && characters < charactersOfBatch) continue;
      yield batchOf(schema, rows);
      [rows, characters] = [[], 0];
    }
  }
  if (rows.length > 0) yield batchOf(schema, rows);
}

/** @param rows with one value per field of the schema */
export function batchOf(schema: Schema, rows: readonly SqlRow[]): RecordBatch {
  const columns = schema.fields.map(({ type }, i) => columnData(type, rows, i));
  return new RecordBatch(schema, new Data(new Struct(schema.fields), 0, rows.length, 0, {}, columns));
}

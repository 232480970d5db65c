/** Writes a table as JSON text in pieces: an array of objects, or one object per line (NDJSON). */
import type { Data, RecordBatch } from 'apache-arrow';
import { objectOf, valueReader } from '../table/json-values.ts';

const rowsPerPiece = 1000;
const encoder = new TextEncoder();

/** @param form `lines` is NDJSON */
export async function* jsonRows(
  batches: AsyncIterable<RecordBatch> | Iterable<RecordBatch>,
  form: 'array' | 'lines',
): AsyncGenerator<Uint8Array, void, void> {
  const isArray = form === 'array';
  let before = isArray ? '[\n' : '';
  for await (const batch of batches) {
    const columns = batch.schema.fields.map(
      ({ name }, i) => [name, valueReader(batch.data.children[i] as Data)] as const,
    );
    for (let from = 0; from < batch.numRows; from += rowsPerPiece) {
      const to = Math.min(from + rowsPerPiece, batch.numRows);
      let text = '';
      for (let row = from; row < to; row++) {
        text += before + JSON.stringify(objectOf(columns, row)) + (isArray ? '' : '\n');
        if (isArray) before = ',\n';
      }
      yield encoder.encode(text);
    }
  }
  // An empty table still needs the opening bracket.
  if (isArray) yield encoder.encode(before === '[\n' ? '[]\n' : '\n]\n');
}

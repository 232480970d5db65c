/** Documents of MongoDB by the driver's cursor. */
import type { Schema } from 'apache-arrow';
import type { ReadRowsOptions, Row } from '../source.ts';
import { lost, refusedQuery, unfitValue } from '../source-error.ts';
import { nameOfTable } from '../source-table.ts';
import { fetchedDocuments, type MongoRead } from './mongo-read.ts';

/** @throws as `Source.rows`, and `TB_SOURCE_VALUE` for a field that the sample of an inferred schema lacks */
export async function* readRows(
  { client, table, schema, isInferred, signal }: MongoRead,
  { batchRows, limitRows }: ReadRowsOptions,
): AsyncGenerator<readonly Row[], void, void> {
  // The server takes 0 as no limit.
  if (limitRows === 0) return;
  const name = nameOfTable(table);
  const batchSize = fetchedDocuments(batchRows);
  const cursor = client
    .db(table.database)
    .collection(table.collection)
    .find<Row>({}, { batchSize, ...(limitRows !== undefined && { limit: limitRows }), ...hidden(schema) });
  const known = isInferred ? new Set(schema.fields.map(({ name }) => name)) : undefined;
  let count = 0;
  try {
    for (;;) {
      // Waits for the next batch of the server; the documents of this one are then at hand.
      const first = await cursor.next();
      if (first === null) break;
      const rows = [first].concat(cursor.readBufferedDocuments());
      if (known) for (const row of rows) requireKnown(row, known);
      count += rows.length;
      for (let start = 0; start < rows.length; start += batchRows)
        yield rows.length <= batchRows ? rows : rows.slice(start, start + batchRows);
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw readFailure(name, count, error);
  } finally {
    await cursor.close().catch(() => {});
  }
}

/** @returns the error itself unless it is the driver's @param rows rows read before */
export function readFailure(name: string, rows: number, error: unknown): unknown {
  if (!(error instanceof Error && error.name.startsWith('Mongo'))) return error;
  return error.name === 'MongoServerError' && rows === 0 ? refusedQuery(name, error) : lost(name, rows, error);
}

/** The identifier of a loaded document is not a column. */
function hidden(schema: Schema): { projection?: { _id: 0 } } {
  return schema.fields.some(({ name }) => name === '_id') ? {} : { projection: { _id: 0 } };
}

function requireKnown(row: Row, known: ReadonlySet<string>): void {
  for (const name in row) {
    if (known.has(name)) continue;
    throw unfitValue(
      name,
      row[name],
      'no such field, since the first documents lack it',
      'add it to the first document',
    );
  }
}

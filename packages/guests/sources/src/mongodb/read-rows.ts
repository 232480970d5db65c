/** Documents of MongoDB by the driver's cursor. */
import { type DataType, type Field, type List, type Schema, type Struct, Type } from 'apache-arrow';
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
  const requireKnown = isInferred ? knownFields(schema.fields, '') : undefined;
  let count = 0;
  try {
    for (;;) {
      // Waits for the next batch of the server; the documents of this one are then at hand.
      const first = await cursor.next();
      if (first === null) break;
      const rows = [first].concat(cursor.readBufferedDocuments());
      if (requireKnown) rows.forEach(requireKnown);
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

/** @returns checks a document; members of its documents too */
function knownFields(fields: readonly Field[], parent: string): (row: object) => void {
  const known = new Map(fields.map(({ name, type }) => [name, knownIn(type, `${parent}${name}`)]));
  return (row) => {
    for (const [name, value] of Object.entries(row)) {
      const check = known.get(name);
      if (check === undefined) {
        const expected = 'no such field, since the first documents lack it';
        throw unfitValue(`${parent}${name}`, value, expected, 'add it to the first document');
      }
      check(value);
    }
  };
}

/** Values of another kind are errors of the column. */
function knownIn(type: DataType, path: string): (value: unknown) => void {
  if (type.typeId === Type.List) {
    const check = knownIn((type as List).valueType, `${path}[]`);
    return (value) => Array.isArray(value) && value.forEach(check);
  }
  if (type.typeId !== Type.Struct) return () => {};
  const check = knownFields((type as Struct).children, `${path}.`);
  return (value) => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) check(value);
  };
}

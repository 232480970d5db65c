/** Loads a collection under a temporary name and renames it at the end. */
import type { Field, RecordBatch } from 'apache-arrow';
import type { Collection, Db, Document, MongoClient } from 'mongodb';
import type { LoadOptions, LoadResult, TableData } from '../loading/table-data.ts';
import { nullRow } from '../rows/null-row.ts';
import { cellReader } from '../rows/read-cells.ts';
import { loadFailure } from '../source-error.ts';
import { type MongoTable, nameOfTable } from '../source-table.ts';
import { bsonOf } from './bson-values.ts';
import { connectMongo } from './connect.ts';
import { readDescription, removeDescription, writeDescription } from './stored-schema.ts';

/** @throws as `loadTable` */
export async function loadMongo(target: MongoTable, data: TableData, { signal }: LoadOptions): Promise<LoadResult> {
  const client = await connectMongo(target.url, signal);
  try {
    const db = client.db(target.database);
    const present = await rowsOf(db, target.collection, data.fingerprint);
    if (present !== undefined) return { rows: present, skipped: true };
    return { rows: await replace(client, target, data, signal), skipped: false };
  } catch (error) {
    signal?.throwIfAborted();
    throw loadFailure(nameOfTable(target), error, target.kind);
  } finally {
    await client.close().catch(() => {});
  }
}

/** @returns undefined unless the collection has this fingerprint, and as many documents as when it was loaded */
async function rowsOf(db: Db, collection: string, fingerprint: string | undefined): Promise<number | undefined> {
  const stored = fingerprint === undefined ? undefined : await readDescription(db, collection);
  if (stored?.fingerprint !== fingerprint || stored === undefined) return undefined;
  // Not the estimate: that of DocumentDB is off by 5,000 of 4,000,000.
  return (await db.collection(collection).countDocuments()) === stored.rows ? stored.rows : undefined;
}

/** Documents of one command, at most 48 MB: the limit of the protocol. */
const insertRows = 5000;

async function replace(
  client: MongoClient,
  { url, database, collection: name }: MongoTable,
  data: TableData,
  signal: AbortSignal | undefined,
): Promise<number> {
  const db = client.db(database);
  const loading = `${name}.loading`;
  await db
    .collection(loading)
    .drop()
    .catch(() => {});
  const collection = await db.createCollection(loading);
  try {
    const rows = await insertAll(collection, data, signal);
    await removeDescription(db, name);
    await collection.rename(name, { dropTarget: true });
    await writeDescription(db, name, { schema: data.schema, fingerprint: data.fingerprint ?? '', rows });
    return rows;
  } catch (error) {
    await dropPartial({ url, database, collection: loading });
    throw error;
  }
}

/** An abort has closed the client of the load. A server that has gone keeps the collection; the next load drops it. */
async function dropPartial({ url, database, collection }: Pick<MongoTable, 'url' | 'database' | 'collection'>) {
  const client = await connectMongo(url).catch(() => undefined);
  await client
    ?.db(database)
    .collection(collection)
    .drop()
    .catch(() => {});
  await client?.close().catch(() => {});
}

async function insertAll(collection: Collection, data: TableData, signal: AbortSignal | undefined): Promise<number> {
  let rows = 0;
  for await (const batch of data.batches() as AsyncIterable<RecordBatch>) {
    for (const documents of documentsOf(batch, rows)) {
      signal?.throwIfAborted();
      await collection.insertMany(documents, { ordered: false });
    }
    rows += batch.numRows;
  }
  return rows;
}

/** @param first identifier of the first document: its row number */
function* documentsOf(batch: RecordBatch, first: number): Generator<Document[], void, void> {
  const columns = batch.data.children.map((data, place) => {
    const { name, type } = batch.schema.fields[place] as Field;
    return { name, read: cellReader(data), convert: bsonOf(type, name) };
  });
  const nulls = nullRow(['_id', ...columns.map(({ name }) => name)]);
  for (let start = 0; start < batch.numRows; start += insertRows) {
    const documents: Document[] = [];
    for (let row = start; row < Math.min(start + insertRows, batch.numRows); row++) {
      const document: Document = { ...nulls, _id: first + row };
      for (const { name, read, convert } of columns) {
        const cell = read(row);
        document[name] = cell === null ? null : convert(cell);
      }
      documents.push(document);
    }
    yield documents;
  }
}

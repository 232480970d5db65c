/** A collection of MongoDB as a source: the cursor of the driver. */
import type { RecordBatch } from 'apache-arrow';
import type { OpenSourceOptions, ReadColumnsOptions, ReadRowsOptions, Row, Source } from '../source.ts';
import { notFound } from '../source-error.ts';
import { type MongoTable, nameOfTable } from '../source-table.ts';
import { connectMongo } from './connect.ts';
import { inferSchema } from './inferred-schema.ts';
import type { MongoRead } from './mongo-read.ts';
import { readColumns } from './read-columns.ts';
import { readFailure, readRows } from './read-rows.ts';
import { readDescription } from './stored-schema.ts';

/** @throws as `openSource` */
export async function openMongoSource(table: MongoTable, { signal }: OpenSourceOptions): Promise<Source> {
  const client = await connectMongo(table.url, signal);
  try {
    const db = client.db(table.database);
    if (!(await db.listCollections({ name: table.collection }, { nameOnly: true }).hasNext()))
      throw notFound(nameOfTable(table), 'correct database and collection, or load it');
    const stored = await readDescription(db, table.collection);
    const schema = stored?.schema ?? (await inferSchema(db.collection(table.collection)));
    return new MongoSource({ client, table, schema, isInferred: stored === undefined, signal });
  } catch (error) {
    await client.close().catch(() => {});
    signal?.throwIfAborted();
    throw readFailure(nameOfTable(table), 0, error);
  }
}

class MongoSource implements Source {
  readonly schema;

  constructor(private readonly read: MongoRead) {
    this.schema = read.schema;
  }

  rows(options: ReadRowsOptions): AsyncIterable<readonly Row[]> {
    return readRows(this.read, options);
  }

  columns(options: ReadColumnsOptions): AsyncIterable<RecordBatch> {
    return readColumns(this.read, options);
  }

  close(): Promise<void> {
    return this.read.client.close();
  }
}

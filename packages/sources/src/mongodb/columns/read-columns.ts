/** Columns of a collection: raw documents of the driver, decoded into the buffers of Arrow. */
import { TopoBenchError } from '@topo-bench/core';
import type { RecordBatch } from 'apache-arrow';
import { BSON } from 'mongodb';
import type { ReadColumnsOptions } from '../../source.ts';
import { nameOfTable } from '../../source-table.ts';
import { fetchedDocuments, type MongoRead } from '../mongo-read.ts';
import { hidden, readFailure } from '../read-rows.ts';
import { DocumentDecoder } from './document-decoder.ts';

/** Documents are fetched as they are read, by one cursor for any number of connections. @throws as `Source.columns` */
export async function* readColumns(
  { client, table, schema, isInferred, signal }: MongoRead,
  { batchRows, limitRows }: ReadColumnsOptions,
): AsyncGenerator<RecordBatch, void, void> {
  // A limit of 0 means none to the server.
  if (limitRows === 0) return;
  const limit = limitRows === undefined ? {} : { limit: limitRows };
  const cursor = client
    .db(table.database)
    .collection(table.collection)
    .find({}, { raw: true, batchSize: fetchedDocuments(batchRows), ...limit, ...hidden(schema) });
  const decoder = new DocumentDecoder(schema, batchRows, !isInferred);
  let count = 0;
  try {
    for (;;) {
      const first = (await cursor.next()) as unknown as Uint8Array | null;
      if (first === null) break;
      const documents = [first].concat(cursor.readBufferedDocuments() as unknown as Uint8Array[]);
      for (const document of documents) {
        add(decoder, document, count++);
        if (decoder.row === batchRows) yield decoder.finish();
      }
    }
    if (decoder.row > 0) yield decoder.finish();
  } catch (error) {
    signal?.throwIfAborted();
    throw readFailure(nameOfTable(table), count, error);
  } finally {
    await cursor.close().catch(() => {});
  }
}

/** Names the document whose value does not fit. */
function add(decoder: DocumentDecoder, document: Uint8Array, index: number): void {
  try {
    decoder.add(document);
  } catch (error) {
    if (!(error instanceof TopoBenchError) || error.code !== 'TB_SOURCE_VALUE') throw error;
    const { _id: id } = BSON.deserialize(document);
    const name = id === undefined ? `document ${index + 1} of the read` : `document ${JSON.stringify(id)}`;
    const hint = error.hint === undefined ? {} : { hint: error.hint };
    throw new TopoBenchError('TB_SOURCE_VALUE', `${name}, ${error.message}`, { ...hint, cause: error });
  }
}

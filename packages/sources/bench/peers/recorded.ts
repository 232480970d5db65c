/** Decodes recorded documents: the same work without server and connection, whose speed differs between products. */
import { BSON, MongoClient } from 'mongodb';
import { openSource, type SourceTable } from '../../src/index.ts';
import { DocumentDecoder } from '../../src/mongodb/columns/document-decoder.ts';
import type { OpenTable, Order } from './order.ts';

const batchRows = 100_000;
let recorded: Uint8Array[] | undefined;

/** The first call records the documents. */
export async function openRecorded({ path, table }: Order): Promise<OpenTable> {
  recorded ??= await record(table);
  const documents = recorded;
  const source = await openSource(table);
  await source.close();
  const { schema } = source;
  return {
    async read() {
      let rows = 0;
      if (path === 'recorded columns') {
        const decoder = new DocumentDecoder(schema, batchRows, true);
        for (const document of documents) {
          decoder.add(document);
          if (decoder.row === batchRows) rows += decoder.finish().numRows;
        }
        const last = decoder.finish();
        return { rows: rows + last.numRows, columns: last.schema.names as string[] };
      }
      let columns: string[] = [];
      for (let first = 0; first < documents.length; first += batchRows) {
        const batch = documents.slice(first, first + batchRows).map((document) => BSON.deserialize(document));
        rows += batch.length;
        columns = Object.keys(batch.at(-1) ?? {});
      }
      return { rows, columns };
    },
    close: async () => {},
  };
}

async function record(table: SourceTable): Promise<Uint8Array[]> {
  if (table.kind !== 'mongodb') throw new Error(`recorded documents: got ${table.kind}, expected mongodb`);
  const client = await MongoClient.connect(table.url);
  try {
    const options = { raw: true, projection: { _id: 0 } } as const;
    const documents = await client.db(table.database).collection(table.collection).find({}, options).toArray();
    return documents as unknown as Uint8Array[];
  } finally {
    await client.close();
  }
}

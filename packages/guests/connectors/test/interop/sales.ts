/** A small table in each kind of store, written by the store's own driver, without the code under test. */
import { writeFile } from 'node:fs/promises';
import type { SourceTable } from '@topo-bench/sources';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { MongoClient } from 'mongodb';
import pg from 'pg';

export interface Sale {
  id: number;
  /** Two digits after the point. */
  price: number;
  note: string | null;
  ok: boolean;
}

export interface SalesTable {
  /** Configuration of the connector. */
  config: object;
  /** Adds rows. */
  write(rows: readonly Sale[]): Promise<void>;
  close(): Promise<void>;
}

export async function openSales(table: SourceTable): Promise<SalesTable> {
  if (table.kind === 'postgresql') return openPostgres(table.url);
  return table.kind === 'mongodb' ? openMongo(table.url, table.database) : openParquet(table.file);
}

async function openPostgres(url: string): Promise<SalesTable> {
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  await owner.query('CREATE TABLE sales (id int PRIMARY KEY, price numeric(7, 2), note text, ok boolean)');
  return {
    config: { url, tables: ['sales'] },
    async write(rows) {
      await owner.query('INSERT INTO sales SELECT * FROM json_populate_recordset(NULL::sales, $1)', [
        JSON.stringify(rows),
      ]);
    },
    close: () => owner.end(),
  };
}

async function openMongo(url: string, database: string): Promise<SalesTable> {
  const client = await MongoClient.connect(url);
  const collection = client.db(database).collection('sales');
  return {
    config: { url, database, collections: ['sales'] },
    async write(rows) {
      // A new identifier for each document, which is not part of the stream's cursor.
      await collection.insertMany(rows.map((row) => ({ ...row })));
    },
    close: () => client.close(),
  };
}

async function openParquet(file: string): Promise<SalesTable> {
  const written: Sale[] = [];
  return {
    config: { files: [file] },
    // A Parquet file has no appends: the new file replaces it.
    async write(rows) {
      written.push(...rows);
      const column = (name: keyof Sale) => written.map((row) => row[name]);
      const buffer = parquetWriteBuffer({
        columnData: [
          { name: 'id', type: 'INT32', data: column('id') },
          { name: 'price', type: 'DOUBLE', data: column('price') },
          { name: 'note', type: 'STRING', data: column('note') },
          { name: 'ok', type: 'BOOLEAN', data: column('ok') },
        ],
      });
      await writeFile(file, new Uint8Array(buffer));
    },
    close: async () => undefined,
  };
}

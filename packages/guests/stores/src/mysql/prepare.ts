/** A fresh set of rows: a template table is filled once, and each reset copies it within the server. */
import { seededBatches } from '@topo-bench/workload';
import type { Connection, RowDataPacket } from 'mysql2/promise';
import { copyTemplate } from '../copy-template.ts';
import { datasetName } from '../dataset-name.ts';
import type { PrepareRequest } from '../engine.ts';
import type { PreparedStore } from '../store.ts';
import { withDatabase } from '../with-database.ts';
import { connectTo } from './driver.ts';
import { columns, createTable, indexesOf, toValues } from './table.ts';

const connectTimeoutMs = 10_000;
const rowsPerInsert = 500;

/** @throws StoreRefused when the server denies an operation */
export async function prepareStore(request: PrepareRequest): Promise<PreparedStore> {
  const { url, configuration, dataset, live } = request;
  const connection = await connectTo(url, connectTimeoutMs);
  const template = datasetName(configuration, dataset);
  const times = await copyTemplate({
    what: `${dataset.rows} rows for ${configuration}`,
    hasTemplate: () => hasItems(connection, template),
    buildTemplate: () => buildTemplate(connection, request, template),
    async copyTemplate() {
      await recreate(connection, live);
      await connection.query(`CREATE TABLE \`${live}\`.items LIKE \`${template}\`.items`);
      await connection.query(`INSERT INTO \`${live}\`.items SELECT * FROM \`${template}\`.items ORDER BY id`);
      await connection.query(`ANALYZE TABLE \`${live}\`.items`);
    },
    disconnect: () => connection.destroy(),
  });
  return {
    url: withDatabase(url, live),
    rows: dataset.rows,
    ...times,
    method: 'CREATE TABLE … LIKE and INSERT … SELECT',
  };
}

async function hasItems(connection: Connection, database: string): Promise<boolean> {
  const text = "SELECT 1 FROM information_schema.tables WHERE table_schema = ? AND table_name = 'items'";
  const [rows] = await connection.query<RowDataPacket[]>(text, [database]);
  return rows.length === 1;
}

async function buildTemplate(
  connection: Connection,
  { configuration, dataset, signal }: PrepareRequest,
  template: string,
): Promise<void> {
  // Filled in another database, so that a table in the template's database is always complete.
  const draft = `${template}_d`;
  await recreate(connection, draft);
  await connection.query(`USE \`${draft}\``);
  await connection.query(createTable);
  await connection.query('START TRANSACTION');
  for (const batch of seededBatches(dataset, rowsPerInsert, signal)) {
    await connection.query(`INSERT INTO items (${columns.join(', ')}) VALUES ?`, [batch.map(toValues)]);
  }
  await connection.query('COMMIT');
  for (const index of indexesOf(configuration)) await connection.query(index);
  await recreate(connection, template);
  await connection.query(`RENAME TABLE \`${draft}\`.items TO \`${template}\`.items`);
  await connection.query(`DROP DATABASE \`${draft}\``);
}

async function recreate(connection: Connection, database: string): Promise<void> {
  await connection.query(`DROP DATABASE IF EXISTS \`${database}\``);
  await connection.query(`CREATE DATABASE \`${database}\` CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`);
}

/**
 * A fresh set of rows in PostgreSQL: a database with them is built once as a template, and each reset copies it, so that
 * every repetition starts from the same pages and statistics.
 */
import type { StoreConfiguration } from '@topo-bench/core/persistence';
import type { Client } from 'pg';
import { copyTemplate } from '../copy-template.ts';
import { datasetName } from '../dataset-name.ts';
import { seededItem } from '../seeded-items.ts';
import type { Dataset, PreparedStore } from '../store.ts';
import { withDatabase } from '../with-database.ts';
import { connectTo } from './driver.ts';
import { indexesOf, layoutOf } from './layout.ts';

const connectTimeoutMs = 10_000;
const rowsPerInsert = 500;

/** @throws StoreRefused when the user may not do what this needs */
export async function prepareStore(
  url: string,
  configuration: StoreConfiguration,
  dataset: Dataset,
  live: string,
  signal?: AbortSignal,
): Promise<PreparedStore> {
  const admin = await connectTo(url, connectTimeoutMs);
  const template = datasetName(configuration, dataset);
  const times = await copyTemplate({
    what: `${dataset.rows} rows for ${configuration}`,
    hasTemplate: () => exists(admin, template),
    buildTemplate: () => buildTemplate(admin, url, configuration, dataset, template, signal),
    async copyTemplate() {
      await admin.query(`DROP DATABASE IF EXISTS "${live}" WITH (FORCE)`);
      await admin.query(`CREATE DATABASE "${live}" TEMPLATE "${template}"`);
      // So that the pages of the copy are not written out during the load; whoever may not ask for it goes without.
      await admin.query('CHECKPOINT').catch(() => undefined);
    },
    disconnect: () => admin.end(),
  });
  return { url: withDatabase(url, live), rows: dataset.rows, ...times, method: 'CREATE DATABASE … TEMPLATE' };
}

async function exists(admin: Client, name: string): Promise<boolean> {
  const { rowCount } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  return rowCount === 1;
}

async function buildTemplate(
  admin: Client,
  url: string,
  configuration: StoreConfiguration,
  dataset: Dataset,
  template: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  // Filled under another name: a template that is there is complete.
  const draft = `${template}_draft`;
  await admin.query(`DROP DATABASE IF EXISTS "${draft}" WITH (FORCE)`);
  await admin.query(`CREATE DATABASE "${draft}" TEMPLATE template0 ENCODING 'UTF8'`);
  const client = await connectTo(withDatabase(url, draft), connectTimeoutMs);
  try {
    await client.query(layoutOf(configuration).table);
    await fill(client, configuration, dataset, signal);
    for (const index of indexesOf(configuration)) await client.query(index);
    await client.query('VACUUM (ANALYZE, FREEZE)');
  } finally {
    await client.end();
  }
  await admin.query(`ALTER DATABASE "${draft}" RENAME TO "${template}"`);
}

async function fill(
  client: Client,
  configuration: StoreConfiguration,
  { rows, seed }: Dataset,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { columns, toValues } = layoutOf(configuration);
  await client.query('BEGIN');
  for (let first = 0; first < rows; first += rowsPerInsert) {
    signal?.throwIfAborted();
    const items = Array.from({ length: Math.min(rowsPerInsert, rows - first) }, (_, i) => seededItem(seed, first + i, rows));
    const tuples = items.map((_, row) => `(${columns.map((_, column) => `$${row * columns.length + column + 1}`).join(',')})`);
    const text = `INSERT INTO items (${columns.join(',')}) VALUES ${tuples.join(',')}`;
    const name = items.length === rowsPerInsert ? { name: 'fill' } : {};
    await client.query({ ...name, text, values: items.flatMap((item) => toValues(item)) });
  }
  await client.query('COMMIT');
}

/**
 * A fresh set of rows in PostgreSQL. A template database is built once, and each reset copies it. Every repetition
 * starts from the same pages and statistics.
 */
import type { StoreConfiguration } from '@topo-bench/core';
import { seededBatches } from '@topo-bench/workload';
import type { Client } from 'pg';
import { copyTemplate } from '../copy-template.ts';
import { datasetName } from '../dataset-name.ts';
import type { PrepareRequest } from '../engine.ts';
import type { Dataset, PreparedStore } from '../store.ts';
import { withDatabase } from '../with-database.ts';
import { connectTo } from './driver.ts';
import { indexesOf, layoutOf } from './layouts.ts';

const connectTimeoutMs = 10_000;
const rowsPerInsert = 500;

/** @throws StoreRefused when the server denies an operation */
export async function prepareStore(request: PrepareRequest): Promise<PreparedStore> {
  const { url, configuration, dataset, live } = request;
  const admin = await connectTo(url, connectTimeoutMs);
  const template = datasetName(configuration, dataset);
  const times = await copyTemplate({
    what: `${dataset.rows} rows for ${configuration}`,
    hasTemplate: () => exists(admin, template),
    buildTemplate: () => buildTemplate(admin, request, template),
    async copyTemplate() {
      await admin.query(`DROP DATABASE IF EXISTS "${live}" WITH (FORCE)`);
      await admin.query(`CREATE DATABASE "${live}" TEMPLATE "${template}"`);
      // Writes the pages of the copy before the load; skipped for users without the privilege.
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
  { url, configuration, dataset, signal }: PrepareRequest,
  template: string,
): Promise<void> {
  // Filled under another name, so that an existing template is always complete.
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
  dataset: Dataset,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { columns, toValues } = layoutOf(configuration);
  await client.query('BEGIN');
  for (const items of seededBatches(dataset, rowsPerInsert, signal)) {
    const tuples = items.map(
      (_, row) => `(${columns.map((_, column) => `$${row * columns.length + column + 1}`).join(',')})`,
    );
    const text = `INSERT INTO items (${columns.join(',')}) VALUES ${tuples.join(',')}`;
    const name = items.length === rowsPerInsert ? { name: 'fill' } : {};
    await client.query({ ...name, text, values: items.flatMap((item) => toValues(item)) });
  }
  await client.query('COMMIT');
}

/**
 * Description of a loaded collection, in a collection next to it: documents have no schema of their own, and BSON has
 * neither microseconds nor small integers.
 */
import { type Schema, Table, tableFromIPC, tableToIPC } from 'apache-arrow';
import type { Binary, Collection, Db } from 'mongodb';

interface Description {
  /** Name of the collection. */
  _id: string;
  fingerprint: string;
  rows: number;
  /** An Arrow IPC stream without batches. */
  schema: Binary | Uint8Array;
}

const collectionName = 'topo_bench_tables';

export interface StoredDescription {
  schema: Schema;
  fingerprint: string;
  rows: number;
}

export async function readDescription(db: Db, collection: string): Promise<StoredDescription | undefined> {
  const found = await descriptions(db).findOne({ _id: collection });
  if (!found) return undefined;
  const bytes = found.schema instanceof Uint8Array ? found.schema : (found.schema as Binary).buffer;
  return { schema: tableFromIPC(bytes).schema, fingerprint: found.fingerprint, rows: found.rows };
}

export async function writeDescription(db: Db, collection: string, stored: StoredDescription): Promise<void> {
  const { schema, ...rest } = stored;
  const description = { ...rest, schema: tableToIPC(new Table(schema), 'stream') };
  await descriptions(db).replaceOne({ _id: collection }, description, { upsert: true });
}

export async function removeDescription(db: Db, collection: string): Promise<void> {
  await descriptions(db).deleteOne({ _id: collection });
}

function descriptions(db: Db): Collection<Description> {
  return db.collection<Description>(collectionName);
}

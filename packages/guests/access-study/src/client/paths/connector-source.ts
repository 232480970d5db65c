/** A table as a connector needs it: the name of its store, a configuration, and the stream in its catalog. */
import {
  type AirbyteStream,
  type ConfiguredCatalog,
  createLauncher,
  type Launcher,
  requireWhole,
  type StoreName,
} from '@topo-bench/connectors';
import { TopoBenchError } from '@topo-bench/core';
import { openSource, type SourceTable } from '@topo-bench/sources';
import type { Schema } from 'apache-arrow';
import type { ClientJob } from '../messages.ts';
import type { ReadPath } from '../read-path.ts';

export interface ConnectorSource {
  store: StoreName;
  /** May contain a password. */
  config: object;
  /** Answer of the latest `discover`. */
  catalog?: ConfiguredCatalog;
}

/**
 * Opens a path with the launcher of a variant with programs; closes the launcher when that fails. The settings are
 * checked: such a variant has a place for them.
 */
export async function preparedLauncher(
  { launch }: ClientJob,
  open: (launcher: Launcher) => Promise<ReadPath>,
): Promise<ReadPath> {
  if (!launch) throw new TopoBenchError('TB_INTERNAL', 'the variant has no place for its programs');
  const { place, ...options } = launch;
  const launcher = await createLauncher(place, options);
  try {
    await launcher.prepare();
    return await open(launcher);
  } catch (error) {
    await launcher.close();
    throw error;
  }
}

/** A table with the address or the path that the programs of the launcher need. */
export async function tableAt(
  table: SourceTable,
  launcher: Pick<Launcher, 'storeUrl' | 'filePath'>,
): Promise<SourceTable> {
  if (table.kind === 'parquet') return { ...table, file: await launcher.filePath(table.file) };
  return { ...table, url: await launcher.storeUrl(table.url) };
}

export async function sourceOf(
  table: SourceTable,
  launcher: Pick<Launcher, 'storeUrl' | 'filePath'>,
): Promise<ConnectorSource> {
  const at = await tableAt(table, launcher);
  const { kind: store } = at;
  if (store === 'parquet') return { store, config: { files: [at.file] } };
  const { url } = at;
  if (store === 'mongodb') return { store, config: { url, database: at.database, collections: [at.collection] } };
  return { store, config: at.query === undefined ? { url, tables: [at.table] } : { url, query: at.query } };
}

/** The types of its columns. */
export async function schemaOf(table: SourceTable): Promise<Schema> {
  const source = await openSource(table);
  await source.close();
  return source.schema;
}

/** The catalog of the table: that of an earlier read where it is cached, as it is for warm programs. */
export async function discovered(
  launcher: Launcher,
  source: ConnectorSource,
  { cachedDiscovery, warm }: Pick<ClientJob['settings'], 'cachedDiscovery' | 'warm'>,
  signal: AbortSignal,
): Promise<ConfiguredCatalog> {
  const cached = cachedDiscovery || warm ? source.catalog : undefined;
  source.catalog = cached ?? (await discover(launcher, source, signal));
  return source.catalog;
}

/** @throws TopoBenchError `TB_CONNECTOR_FAILED`, `TB_CONNECTOR_INCOMPLETE`, and as `Launcher.launch` */
async function discover(
  launcher: Launcher,
  { store, config }: ConnectorSource,
  signal: AbortSignal,
): Promise<ConfiguredCatalog> {
  const program = await launcher.launch({
    program: 'connector',
    args: (pathOf) => [store, 'discover', '--config', pathOf('config.json')],
    files: { 'config.json': JSON.stringify(config) },
    signal,
  });
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of program.output) chunks.push(chunk);
    requireWhole('the connector', await program.ended);
    return catalogOf(Buffer.concat(chunks).toString(), store);
  } finally {
    // The read does not wait until it is removed. The close of the launcher does, and reports a failure.
    program.stop().catch(() => undefined);
  }
}

/** The discovered stream. */
export function streamOf({ catalog, store }: ConnectorSource): { name: string; namespace?: string } {
  const stream = catalog?.streams[0]?.stream;
  if (!stream) throw new TopoBenchError('TB_INTERNAL', `the stream of ${store} has not been discovered`);
  const { name, namespace } = stream;
  return { name, ...(namespace !== undefined && { namespace }) };
}

function catalogOf(text: string, store: string): ConfiguredCatalog {
  for (const line of text.split('\n')) {
    if (!line.includes('"CATALOG"')) continue;
    const { catalog } = JSON.parse(line) as { catalog?: { streams: AirbyteStream[] } };
    const stream = catalog?.streams[0];
    if (stream) return { streams: [{ stream, sync_mode: 'full_refresh', destination_sync_mode: 'overwrite' }] };
  }
  throw new TopoBenchError('TB_CONNECTOR_FAILED', `the ${store} connector discovered no stream`);
}

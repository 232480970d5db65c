/** The command `discover`: tables as streams, with their columns as JSON Schema. */
import { TopoBenchError } from '@topo-bench/core';
import { openSource } from '@topo-bench/sources';
import { type DataType, type Schema, Type } from 'apache-arrow';
import type { AirbyteStream } from '../protocol/messages.ts';
import { jsonSchemaOf } from '../schema/json-schema.ts';
import type { FoundTable, StoreConnector } from '../stores/store-connector.ts';

/**
 * @param onSkipped called for tables with a column that cannot be read
 * @throws TopoBenchError as `openSource`
 */
export async function discoverStreams<Config>(
  store: StoreConnector<Config>,
  config: Config,
  onSkipped: (message: string) => void,
): Promise<AirbyteStream[]> {
  const streams: AirbyteStream[] = [];
  for (const table of await store.tables(config)) {
    try {
      const source = await openSource(store.tableOf(config, table));
      streams.push(streamOf(table, source.schema));
      await source.close();
    } catch (error) {
      if (!(error instanceof TopoBenchError && error.code === 'TB_SOURCE_TYPE')) throw error;
      onSkipped(`table ${table.name} is not offered: ${error.message}`);
    }
  }
  return streams;
}

function streamOf({ name, namespace, primaryKey }: FoundTable, schema: Schema): AirbyteStream {
  const [key, ...others] = primaryKey ?? [];
  const type = schema.fields.find((field) => field.name === key)?.type;
  const cursor = key !== undefined && others.length === 0 && type && grows(type) ? [key] : undefined;
  return {
    name,
    ...(namespace !== undefined && { namespace }),
    json_schema: jsonSchemaOf(schema),
    supported_sync_modes: ['full_refresh', 'incremental'],
    source_defined_cursor: false,
    ...(cursor && { default_cursor_field: cursor }),
    ...(primaryKey && { source_defined_primary_key: primaryKey.map((column) => [column]) }),
  };
}

/** Keys of these types usually grow with each new row. */
function grows({ typeId }: DataType): boolean {
  return typeId === Type.Int || typeId === Type.Timestamp;
}

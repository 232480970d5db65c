/** Serves the rows of one connector over Flight, once: as record batches, in the order of the rows. */
import { joinedBatches } from '@topo-bench/sources';
import type { ConfiguredCatalog } from '../protocol/messages.ts';
import { arrowSchemaOf } from '../schema/json-schema.ts';
import { ConnectorInput } from './connector-input.ts';
import type { ConverterSettings } from './converter-settings.ts';
import { rowsOfLines } from './record-lines.ts';
import { type OnceServed, serveOnce } from './serve-once.ts';

export interface Conversion extends Omit<OnceServed, 'flightPort'> {
  ready: { flightPort: number; inputPort: number };
}

/** Rows that are objects at a time. */
const groupRows = 2000;

/** @param catalog with the one stream that is served; its name is path and ticket */
export async function startConversion(
  { streams: [configured] }: ConfiguredCatalog,
  settings: ConverterSettings,
): Promise<Conversion> {
  if (!configured) throw new Error('the catalog has no stream');
  const { name, namespace, json_schema } = configured.stream;
  const descriptor = { name, ...(namespace !== undefined && { namespace }) };
  const schema = arrowSchemaOf(json_schema);
  const input = new ConnectorInput(settings.inputToken);
  const batches = (signal: AbortSignal) =>
    joinedBatches(schema, rowsOfLines(input.text(signal), descriptor, schema, groupRows), settings.batchRows);
  const inputPort = await input.listen(settings.inputPort, settings.host);
  const { flightPort, served, close } = await serveOnce({ name, schema, batches }, settings);
  return {
    ready: { inputPort, flightPort },
    served,
    async close() {
      input.close();
      await close();
    },
  };
}

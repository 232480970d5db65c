/** Serves the rows of one connector over Flight, once: as record batches, in the order of the rows. */
import { joinedBatches } from '@topo-bench/sources';
import type { WorkFigures } from '../launch/launcher.ts';
import type { ConfiguredCatalog } from '../protocol/messages.ts';
import { arrowSchemaOf } from '../schema/json-schema.ts';
import { ConnectorInput } from './connector-input.ts';
import { ConversionTime } from './conversion-time.ts';
import type { ConverterSettings } from './converter-settings.ts';
import { rowsOfLines } from './record-lines.ts';
import { type OnceServed, serveOnce } from './serve-once.ts';

export interface Conversion extends Omit<OnceServed, 'flightPort'> {
  ready: { flightPort: number; inputPort: number };
  /** Figures of the read that was served. */
  figures(): Required<Pick<WorkFigures, 'conversionUs'>>;
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
  const time = new ConversionTime();
  const batches = (signal: AbortSignal) => {
    const rows = time.ofRows(rowsOfLines(input.text(signal), descriptor, schema, groupRows));
    return time.ofBatches(joinedBatches(schema, rows, settings.batchRows));
  };
  const inputPort = await input.listen(settings.inputPort, settings.host);
  const { flightPort, served, close } = await serveOnce({ name, schema, batches }, settings);
  return {
    ready: { inputPort, flightPort },
    served,
    figures: () => ({ conversionUs: time.us }),
    async close() {
      input.close();
      await close();
    },
  };
}

/** Serves the columns of a table over Flight, once. The store is opened before the port is. */
import { openSource } from '@topo-bench/sources';
import { type ExporterSettings, exportedStream } from './converter-settings.ts';
import { type OnceServed, serveOnce } from './serve-once.ts';

export interface Export extends Omit<OnceServed, 'flightPort'> {
  ready: { flightPort: number };
}

/** @throws TopoBenchError as `openSource` */
export async function startExport(settings: ExporterSettings): Promise<Export> {
  const { table, batchRows, connections } = settings;
  const source = await openSource(table);
  const stream = {
    name: exportedStream,
    schema: source.schema,
    batches: () => source.columns({ batchRows, connections }),
  };
  const { flightPort, served, close } = await serveOnce(stream, settings);
  return {
    ready: { flightPort },
    served,
    async close() {
      await source.close();
      await close();
    },
  };
}

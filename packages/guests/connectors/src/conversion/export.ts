/** Serves the columns of a table over Flight, once. The store is opened before the port is. */
import { openSource } from '@topo-bench/sources';
import type { WorkFigures } from '../launch/launcher.ts';
import { bytesRead } from '../program/bytes-read.ts';
import { type ExporterSettings, exportedStream } from './converter-settings.ts';
import { type OnceServed, serveOnce } from './serve-once.ts';

export interface Export extends Omit<OnceServed, 'flightPort'> {
  ready: { flightPort: number };
  /** Figures of the read that was served. */
  figures(): Pick<WorkFigures, 'storeBytes'>;
}

/** @throws TopoBenchError as `openSource` */
export async function startExport(settings: ExporterSettings): Promise<Export> {
  const { table, batchRows, connections, limitRows } = settings;
  const source = await openSource(table);
  const limit = limitRows === undefined ? {} : { limitRows };
  let count: () => number | undefined = () => undefined;
  const stream = {
    name: exportedStream,
    schema: source.schema,
    batches() {
      count = bytesRead();
      return source.columns({ batchRows, connections, ...limit });
    },
  };
  const { flightPort, served, close } = await serveOnce(stream, settings);
  return {
    ready: { flightPort },
    served,
    figures() {
      const storeBytes = count();
      return storeBytes === undefined ? {} : { storeBytes };
    },
    async close() {
      await source.close();
      await close();
    },
  };
}

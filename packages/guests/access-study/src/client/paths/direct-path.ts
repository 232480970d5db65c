/** A client that reads the store itself, without a connector: the steps that rows and columns have in common. */
import { openSource, type ReadRowsOptions, type Source } from '@topo-bench/sources';
import type { ClientJob } from '../messages.ts';
import type { ReadPath, ReadTools } from '../read-path.ts';

export interface DirectReading<Batch> {
  batches(source: Source, limit: Pick<ReadRowsOptions, 'limitRows'>): AsyncIterable<Batch>;
  add(check: ReadTools['check'], batch: Batch, source: Source): void;
}

export function directPath<Batch>({ table }: ClientJob, { batches, add }: DirectReading<Batch>): ReadPath {
  const readAll = async ({ clock, check, signal, limitRows }: ReadTools): Promise<void> => {
    const source = await openSource(table, { signal });
    try {
      clock.ends('connect');
      for await (const batch of batches(source, limitRows === undefined ? {} : { limitRows })) {
        clock.ends('read');
        add(check, batch, source);
      }
      clock.ends('read');
    } finally {
      await source.close();
    }
    clock.ends('return');
  };
  return {
    async read(tools) {
      await readAll(tools);
      return { sender: table.kind, roles: {} };
    },
    warmUp: readAll,
    close: async () => undefined,
  };
}

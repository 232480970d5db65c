/** The client reads rows with the driver of the store. */
import type { ClientJob } from '../messages.ts';
import type { ReadPath } from '../read-path.ts';
import { directPath } from './direct-path.ts';

/** Drivers make an object of every row: larger batches only cost memory. */
const maxBatchRows = 10_000;

export function openNative(job: ClientJob): ReadPath {
  const batchRows = Math.min(job.settings.batchRows, maxBatchRows);
  return directPath(job, {
    batches: (source, limit) => source.rows({ batchRows, ...limit }),
    add: (check, rows, { schema }) => check.addRows(schema, rows),
  });
}

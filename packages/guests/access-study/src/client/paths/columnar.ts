/** The client reads columns from the store on: no row exists as an object. */
import type { ClientJob } from '../messages.ts';
import type { ReadPath } from '../read-path.ts';
import { directPath } from './direct-path.ts';

export function openColumnar(job: ClientJob): ReadPath {
  const { batchRows, connections } = job.settings;
  return directPath(job, {
    batches: (source, limit) => source.columns({ batchRows, connections, ...limit }),
    add: (check, batch) => check.addBatch(batch),
  });
}

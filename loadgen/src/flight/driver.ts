/** Driver `flight`: bulk transfers of a table by parallel streams, over Arrow Flight or over HTTP; a request is a whole stream. */
import { TopoBenchError } from '@topo-bench/core';
import type { DriverDefinition } from '../driver.ts';

export const flightDriver: DriverDefinition = {
  description: 'bulk transfers: whole tables by parallel streams',
  /** One unless the job names a number: a service is one process, too. Flags of the result report a generator at its limit. */
  parts: ({ request, processes = 1 }) => {
    if (request.kind !== 'transfer') throw new TopoBenchError('TB_INTERNAL', 'the driver flight moves tables only');
    return Math.min(processes, request.streams);
  },
  // A bulk transfer has no schedule to keep, and would keep the service from the processor.
  keepsTime: false,
  nodeOptions: [],
  shards: () => import('./run-shard.ts'),
};

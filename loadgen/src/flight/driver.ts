/**
 * Driver `flight`: bulk transfers of a table by parallel streams, over Arrow Flight or HTTP. A request is a whole
 * stream.
 */
import { TopoBenchError } from '@topo-bench/core';
import type { DriverDefinition } from '../driver.ts';

export const flightDriver: DriverDefinition = {
  description: 'bulk transfers: whole tables by parallel streams',
  /** Default 1, since a service is one process too. Flags of the result report a saturated generator. */
  parts: ({ request, processes = 1 }) => {
    if (request.kind !== 'transfer')
      throw new TopoBenchError('TB_INTERNAL', 'driver flight accepts only jobs of kind transfer');
    return Math.min(processes, request.streams);
  },
  // A bulk transfer has no schedule, and real-time priority would keep the service off the processor.
  keepsTime: false,
  nodeOptions: [],
  shards: () => import('./run-shard.ts'),
};

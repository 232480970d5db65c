/** The field `persistence` of an experiment: reads and writes that it sends to a store. */
import { flightClient } from '@topo-bench/core/schema/arrow';
import { share, size } from '@topo-bench/core/schema/quantities';
import { keyLaws } from '@topo-bench/workload/key-law';
import { z } from 'zod';

const storeWorkloads = ['read-heavy', 'write-heavy', 'mixed'] as const;

export const persistence = z
  .strictObject({
    workload: z.enum(storeWorkloads).default('mixed').meta({ description: 'Selects one of the shares below.' }),
    reads: z
      .strictObject({
        'read-heavy': share.prefault('95%'),
        'write-heavy': share.prefault('5%'),
        mixed: share.prefault('50%'),
      })
      .prefault({})
      .meta({ description: 'Share of reads by workload; the other requests write.' }),
    queries: share
      .prefault('50%')
      .meta({ description: 'Share of the reads that query by customer and status; the others read by id.' }),
    creates: share
      .prefault('50%')
      .meta({ description: 'Share of the writes that add an item (POST); the others replace one (PUT).' }),
    keys: z
      .enum(keyLaws)
      .default('zipfian')
      .meta({ description: 'Distribution of the items that are read and replaced.' }),
    skew: z.number().gt(0).lt(1).default(0.99).meta({ description: 'Exponent of the zipfian law.' }),
    limit: z.int().min(1).max(100).default(20).meta({ description: 'Items per page of a query.' }),
    documentSize: size.optional().meta({ description: 'Min size of a written item, as JSON; default: about 700 B.' }),
    client: flightClient.optional().meta({
      description:
        'Log-in and trust of the queries that check a service with `arrow.flight.sql` after the load, in addition to the fields of the topology. Paths are relative to the working directory of topo-bench.',
    }),
  })
  .meta({
    description:
      'Sends reads and writes straight to the one service that has a store, instead of requests through the gateway.',
  });

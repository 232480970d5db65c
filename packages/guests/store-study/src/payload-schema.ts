/** What an entry of `cells.json` has of a store study: its server, its operations, and use of resources. */
import { counts, useSeries } from '@topo-bench/core/schema/figures';
import { z } from 'zod';

/** Store figures of a repetition with reads and writes. */
export const persistenceResult = z
  .strictObject({
    configuration: z.string(),
    workload: z.string(),
    server: z
      .strictObject({
        name: z
          .string()
          .meta({ description: 'Reported by the server; a server with the protocol of another keeps its own name.' }),
        version: z.string(),
        origin: z.string().meta({ description: 'connection-string, image, embedded or found-binary.' }),
        source: z.string(),
        address: z
          .string()
          .optional()
          .meta({ description: 'Host and port of a user-supplied server; absent where topo-bench started it.' }),
        settings: z
          .record(z.string(), z.string())
          .meta({ description: 'Settings of durability and memory, as reported.' }),
        started: z.array(z.string()).meta({ description: 'Its start command.' }),
      })
      .meta({ id: 'storeServer', description: 'The database server of the store.' }),
    rows: z.int(),
    poolSize: z.int(),
    reset: z.strictObject({ method: z.string(), ms: z.number(), templateMs: z.number() }),
    successRps: z.number().meta({ description: 'Successful answers within the load, per second.' }),
    operations: counts.meta({ description: 'Requests by kind: get, query, create, replace.' }),
    series: z
      .record(z.string(), useSeries)
      .meta({ description: 'Use of resources over the load, by `store` and `service`.' }),
  })
  .meta({ description: 'Reads and writes of a store only.' });
export type PersistenceResult = z.output<typeof persistenceResult>;

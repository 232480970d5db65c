/** The field `flight` of an experiment: bulk transfers. */
import { flightClient } from '@topo-bench/core/schema/arrow';
import { duration } from '@topo-bench/core/schema/quantities';
import { transferOperations, transferProtocols } from '@topo-bench/loadgen/flight/transfer';
import { z } from 'zod';

/** The first is the default. */
const flightServers = ['topo-bench', 'pyarrow'] as const;

export const flight = z
  .strictObject({
    protocol: z.enum(transferProtocols).default('flight').meta({
      description:
        '`flight`: Arrow Flight. `arrow`, `ndjson`, `json`: `GET /arrow` of the same table over HTTP, in that form.',
    }),
    operation: z.enum(transferOperations).default('get').meta({
      description:
        '`get` reads the table (DoGet); `put` sends as many rows (DoPut, which the service decides, counts and drops); `exchange` sends them and reads back what the rules leave (DoExchange).',
    }),
    server: z.enum(flightServers).default(flightServers[0]).meta({
      description:
        '`pyarrow` puts the Flight server of pyarrow (Arrow C++) with the same table in place of the service; for transfers over Flight without rules and TLS. Needs a Python with pyarrow: the variable TOPO_BENCH_PYTHON, or `python3`.',
    }),
    streams: z
      .int()
      .min(1)
      .max(256)
      .default(1)
      .meta({ description: 'Streams in parallel, each on a connection of its own.' }),
    rows: z.int().min(1).max(1_000_000_000).default(1_000_000).meta({ description: 'Rows of each stream.' }),
    batchRows: z.int().min(1).max(10_000_000).default(100_000).meta({ description: 'Rows of one message.' }),
    timeout: duration
      .prefault('10m')
      .meta({ description: 'A stream that takes longer is cancelled and counts as an error.' }),
    client: flightClient.optional(),
  })
  .meta({
    description:
      'Moves whole tables from or to the one service with `arrow.flight`, instead of sending requests; needs `load.driver: flight`. Replaces `duration`, and `rows` and `batchRows` in the topology.',
  });

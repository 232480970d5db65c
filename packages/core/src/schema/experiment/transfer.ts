/** Bulk transfers of an experiment, and the log-in and trust of their clients. */
import { z } from 'zod';
import { flightLogin, pemFile } from '../arrow.ts';
import { duration } from '../quantities.ts';

const transferProtocols = ['flight', 'arrow', 'ndjson', 'json'] as const;
const transferOperations = ['get', 'put', 'exchange'] as const;
/** The first is the default. */
const flightServers = ['topo-bench', 'pyarrow'] as const;
export type TransferProtocol = (typeof transferProtocols)[number];
export type TransferOperation = (typeof transferOperations)[number];

export const flightClient = z
  .strictObject({
    login: flightLogin.optional().meta({ description: 'Default: the `login` of the service.' }),
    ca: pemFile.optional().meta({
      description:
        "PEM file of the authority of the service's certificate. Left out: that certificate itself, which is enough where it signed itself.",
    }),
    serverName: z.string().min(1).optional().meta({
      description:
        'Expected name in the certificate of the service, if not its address: `127.0.0.1`, or that of a container.',
    }),
    certificate: pemFile.optional().meta({ description: 'PEM file to show to a service with `clientCa`.' }),
    key: pemFile.optional().meta({ description: 'PEM file of its private key.' }),
  })
  .refine(
    ({ certificate, key }) => (certificate === undefined) === (key === undefined),
    'expected `certificate` and `key`, or neither',
  )
  .meta({
    description:
      'Log-in and trust of the load, in addition to the fields of the topology. Paths are relative to the working directory of topo-bench.',
  });

export const flight = z.strictObject({
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
});

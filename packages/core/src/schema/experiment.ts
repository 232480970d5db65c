/** The experiment file: a topology, the factors that vary, and the measurement of each cell. */
import { z } from 'zod';
import { exampleLevels } from '../architectures.ts';
import { factorTable } from '../factors.ts';
import { runnerNames } from '../runner-names.ts';
import { flightLogin, pemFile } from './arrow.ts';
import { duration, name, share, size } from './quantities.ts';

export const storeWorkloads = ['read-heavy', 'write-heavy', 'mixed'] as const;
export const keyLaws = ['uniform', 'zipfian'] as const;
export type StoreWorkloadName = (typeof storeWorkloads)[number];
export type KeyLaw = (typeof keyLaws)[number];
export const arrivalLaws = ['constant', 'poisson'] as const;
/** Drivers that send requests. */
export const requestDrivers = ['open', 'autocannon'] as const;
export const drivers = [...requestDrivers, 'flight'] as const;
export const transferProtocols = ['flight', 'arrow', 'ndjson', 'json'] as const;
export const transferOperations = ['get', 'put', 'exchange'] as const;
/** The first is the default. */
export const flightServers = ['topo-bench', 'pyarrow'] as const;
export type TransferProtocol = (typeof transferProtocols)[number];
export type TransferOperation = (typeof transferOperations)[number];
export type ArrivalLaw = (typeof arrivalLaws)[number];
export type RequestDriverName = (typeof requestDrivers)[number];
export type DriverName = (typeof drivers)[number];

const factorLevel = z.union([z.string(), z.number(), z.boolean()]);

export const load = z.strictObject({
  driver: z.enum(drivers).default('open').meta({
    description:
      '`open`: scheduled arrivals. `autocannon`: closed model. `flight`: bulk transfers, as the field `flight` says.',
  }),
  arrivals: z.enum(arrivalLaws).default('poisson'),
  rate: z.number().positive().max(1e6).default(100).meta({ description: 'Offered load in req/s (open model).' }),
  connections: z.int().min(1).max(10_000).default(10).meta({ description: 'Clients of the closed model.' }),
  processes: z
    .int()
    .min(1)
    .max(64)
    .optional()
    .meta({ description: 'Generator processes; default: as many as the rate needs.' }),
  inFlightCap: z.int().min(1).optional().meta({ description: 'Max open requests; default 8000, nested style 4000.' }),
  keepAwake: z.boolean().default(true).meta({
    description:
      'Keep the cores of the host from sleeping while load runs, where the system allows it (Linux, root); not for bulk transfers.',
  }),
});

export const warmup = z.strictObject({
  requests: z.int().min(0).default(2000).meta({ description: 'Requests that every process must have served.' }),
  change: share.prefault('5%').meta({ description: 'Warm when throughput changed by less over three windows.' }),
  window: duration.prefault('2s'),
  connections: z.int().min(1).default(16),
  max: duration.prefault('120s').meta({ description: 'Max time; reaching it sets the flag `cold`.' }),
});

export const deployModes = ['fresh', 'round', 'interleaved'] as const;
export type DeployMode = (typeof deployModes)[number];

export const turns = z.strictObject({
  slice: duration.prefault('500ms').meta({
    description: 'Load of one turn. Shorter than typical disturbances of a machine, longer than a request.',
  }),
  gap: duration.prefault('100ms').meta({
    description:
      'Pause after each turn, in which requests in flight finish. Where more than 1% take longer, the repetition has the flag `overlap`.',
  }),
});

export const persistence = z.strictObject({
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
});

export const flightClient = z
  .strictObject({
    login: flightLogin.optional().meta({ description: 'Default: the `login` of the service.' }),
    ca: pemFile.optional().meta({
      description:
        "PEM file of the authority of the service's certificate. Left out: that certificate itself, which is enough where it signed itself.",
    }),
    serverName: z.string().min(1).optional().meta({
      description: 'Expected name in the certificate of the service, if not `127.0.0.1`.',
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

const architectureLevels = exampleLevels(3)
  .map((level) => `\`${level}\``)
  .join(', ');

export const experimentFile = z
  .strictObject({
    $schema: z.string().optional(),
    apiVersion: z.literal('topo-bench/v1'),
    kind: z.literal('Experiment'),
    name,
    description: z.string().optional(),
    topology: z.string().meta({ description: 'Path of the topology file, relative to this file.' }),
    set: z
      .record(z.string(), z.unknown())
      .default({})
      .meta({ description: 'Fields of the topology to replace, by path, e.g. `deadlines.hop: 120s`.' }),
    factors: z
      .record(z.string(), z.array(factorLevel).min(1))
      .default({})
      .meta({
        description: `Levels by factor. Short names: ${Object.keys(factorTable).join(', ')}; any other field by path, e.g. \`load.driver\` or \`topology.deadlines.hop\`. Levels of architecture: ${architectureLevels}.`,
      }),
    repetitions: z.int().min(1).max(1000).default(5),
    seed: z.int().default(1),
    runner: z.enum(runnerNames).default(runnerNames[0]),
    deploy: z.enum(deployModes).default('fresh').meta({
      description:
        '`fresh`: deploy for every repetition. `round`: deploy each (architecture, services) once per round. `interleaved`: deploy all levels together once per round, let them take turns under load, and so make a repetition one paired round; for routing experiments with the driver `open`.',
    }),
    turns: turns.prefault({}).meta({
      description: 'Turns of the levels with `deploy: interleaved`, and of the two sides of a gate.',
    }),
    load: load.prefault({}),
    persistence: persistence.optional().meta({
      description:
        'Sends reads and writes straight to the one service that has a store, instead of requests through the gateway.',
    }),
    flight: flight.optional().meta({
      description:
        'Moves whole tables from or to the one service with `arrow.flight`, instead of sending requests; needs `load.driver: flight`. Replaces `duration`, and `rows` and `batchRows` in the topology.',
    }),
    warmup: warmup.prefault({}),
    duration: duration.prefault('10s'),
    drain: duration.prefault('60s').meta({ description: 'Max wait for open requests after the load.' }),
    traceHops: share.prefault('0%').meta({ description: 'Share of requests whose hops are traced.' }),
    keepRequests: z.boolean().default(false).meta({ description: 'Write every generated request to requests.ndjson.' }),
    validity: z
      .strictObject({
        maxErrorShare: share.prefault('0%').meta({ description: 'Errors above this share make a repetition invalid.' }),
        smallestDifference: share.prefault('5%').meta({
          description:
            'Smallest difference between cells that matters, as a share of the median. Requests that leave late make a repetition invalid only where their mean lag is above a tenth of it.',
        }),
        remeasure: share.prefault('20%').meta({
          description:
            'Max share of the repetitions of a run that are measured again because requests left late or other programs used the processors, and nothing else was wrong; each twice at most. Superseded measurements stay in the results as `discarded`. `0%`: never.',
        }),
      })
      .prefault({}),
    thresholds: z.array(z.string().min(1)).min(1).optional().meta({
      description:
        'Thresholds of `gate` for a run of this experiment, e.g. `rtt.median < +5%`, `rtt.p95 < 20ms` or, of bulk transfers, `flight.megabytesPerSecond > -5%`.',
    }),
    published: z
      .string()
      .optional()
      .meta({ description: 'CSV with published figures to show next to the results, relative to this file.' }),
  })
  .meta({ title: 'topo-bench experiment', description: 'Factors, repetitions and load of a run.' });

export type ExperimentInput = z.input<typeof experimentFile>;
/** A parsed experiment with defaults; durations in µs, shares as fractions. */
export type ExperimentFile = z.output<typeof experimentFile>;

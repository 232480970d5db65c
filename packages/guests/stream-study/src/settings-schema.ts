/** The field `stream` of an experiment: a stream job runs over a database, at full speed and at paced rates. */
import { storeEngines } from '@topo-bench/core';
import { duration } from '@topo-bench/core/schema/quantities';
import { z } from 'zod';

/** In the order of the published workloads 1 to 4. */
export const streamJobs = ['generate', 'copy', 'realistic-queries', 'random-queries'] as const;
export type StreamJobName = (typeof streamJobs)[number];

const streamGuarantees = ['exactly-once', 'at-least-once'] as const;

const streamGrids = ['none', 'hazelcast'] as const;

export const streamEngines = ['embedded', 'flink'] as const;
export type StreamEngineName = (typeof streamEngines)[number];

const windowLength = z
  .union([z.literal('none'), duration.refine((us) => us >= 1000, 'expected 1ms or more')])
  .default('none')
  .meta({
    description:
      '`none`: sums are written as soon as the database takes them. A duration: tumbling windows of event time of this length, each written when it is complete.',
  });

export const stream = z
  .strictObject({
    database: z.enum(storeEngines).default('postgresql').meta({
      description: 'Protocol of the database. A server of the same protocol reports its own name.',
    }),
    engine: z.enum(streamEngines).default('embedded').meta({
      description:
        'The stream processor. `embedded`: a small one that comes with topo-bench. `flink`: an Apache Flink cluster, named by `--flink-url` or TOPO_BENCH_FLINK_URL, for `generate` on PostgreSQL, MariaDB, MongoDB and Redis.',
    }),
    job: z.enum(streamJobs).default('generate').meta({
      description:
        '`generate`: GPS points are added to a heat map. `copy`: an existing heat map is read from PostgreSQL and inserted into the database. `realistic-queries`: batches of cells are read from an existing heat map, as six users do who pan and zoom, with repeats. `random-queries`: such batches without repeats.',
    }),
    windows: windowLength,
    outOfOrder: duration.prefault('2s').meta({
      description: 'How far points may be behind the latest event time without being late for their window.',
    }),
    points: z.int().min(1000).max(21_000_000).default(100_000).meta({
      description:
        'GPS points of cycling trips, one per second of each trip. About 21 million are 14,409 trips. With `gpx`: the first points of the files in the order of their times; default: all.',
    }),
    gpx: z
      .array(z.string().min(1))
      .min(1)
      .refine((paths) => new Set(paths).size === paths.length, 'expected each file once')
      .optional()
      .meta({
        description:
          'GPX files with recorded tracks, whose points `generate` takes in place of drawn ones. Paths are relative to this file.',
      }),
    entries: z.int().min(1000).max(418_239_564).default(100_000).meta({
      description:
        'Entries of the existing heat map that is copied or queried. The maximum is that of the published study; a run keeps them in memory, with 24 bytes or more for each.',
    }),
    queries: z.int().min(100).max(1_292_600).default(5000).meta({
      description:
        'Queries of a job that reads, over ten hours of event time. The maximum is that of the published study.',
    }),
    cellLength: z.int().min(1).max(9).default(8).meta({
      description: 'Characters of a geohash cell of `generate`; 8 is 38 m × 19 m at the equator. Other jobs have 8.',
    }),
    guarantee: z.enum(streamGuarantees).default('exactly-once').meta({
      description:
        '`exactly-once`: rows and checkpoint in one transaction; a MongoDB server needs a replica set for it. `at-least-once`: apart.',
    }),
    partitions: z.int().min(1).max(64).default(2).meta({
      description: 'Parts of the keys, each with a connection, one write in flight, and a checkpoint.',
    }),
    rowsPerWrite: z.int().min(1).max(100_000).default(1000).meta({
      description: 'Rows that a partition collects before it writes.',
    }),
    checkpointEvery: duration
      .prefault('200ms')
      .refine((us) => us >= 10_000, 'expected 10ms or more')
      .meta({
        description:
          'Time between checkpoints on Flink. With `exactly-once`, rows reach the database at checkpoints. The embedded engine has one with each write.',
      }),
    rate: z.number().min(1).max(1e7).default(10_000).meta({
      description:
        'Points or entries per second of the paced job that measures end-to-end latency. Equal for all cells that are compared.',
    }),
    queryRate: z.number().min(1).max(1e6).default(500).meta({
      description: 'The same of jobs that read, in queries per second.',
    }),
    latencyFor: duration
      .prefault('1s')
      .meta({ description: 'Length of the paced job, unless the points end earlier.' }),
    trials: z.int().min(0).max(20).default(4).meta({
      description:
        'Paced trials that search the sustained throughput: the highest rate at which the database keeps up. `0`: none.',
    }),
    trialFor: duration.prefault('500ms').meta({ description: 'Length of a trial, unless the points end earlier.' }),
    killAfter: duration
      .refine((us) => us > 0, 'expected more than 0s')
      .optional()
      .meta({
        description:
          'Adds a job at `rate` whose processor is killed after this time and resumed from its checkpoint by a new one. Jobs that read have none.',
      }),
    url: z.string().min(1).optional().meta({
      description:
        'Connection string of a server of your own. `--postgres-url`, TOPO_BENCH_POSTGRES_URL and those of the other databases override it.',
    }),
    image: z.string().min(1).optional().meta({
      description: 'Container image of a server that topo-bench starts for the run. A connection string overrides it.',
    }),
    grid: z.enum(streamGrids).default('none').meta({
      description:
        '`hazelcast`: a Hazelcast cluster in front of the database acknowledges rows, which are flushed to the database at intervals, and caches cells that are read.',
    }),
    flushEvery: duration
      .prefault('5s')
      .refine((us) => us >= 1000, 'expected 1ms or more')
      .meta({ description: 'With a grid: time from the end of a flush to the start of the next one.' }),
    gridUrl: z.string().min(1).optional().meta({
      description:
        'Address of the Hazelcast cluster: `hazelcast://host:port/cluster`. TOPO_BENCH_HAZELCAST_URL overrides it.',
    }),
    timeout: duration.prefault('10m').meta({ description: 'A job that takes longer is stopped and invalid.' }),
  })
  .meta({
    description:
      'Runs a stream job over a database instead of deploying services: GPS points → geohash cell → sum per cell → heat map. The experiment then has no topology.',
  });
export type Stream = z.output<typeof stream>;

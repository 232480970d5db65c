/** Schema of a run folder: `run.json` and the entries of `cells.json`. Field names include their unit. */
import { z } from 'zod';

/**
 * JSON lacks two numbers that intervals need. +∞ (a figure that includes an unfinished request) is written as the
 * string "Infinity". NaN (no value, such as the median of nothing) is written as null.
 */
const us = z
  .union([z.number(), z.literal('Infinity'), z.null()])
  .transform((value) => (value === 'Infinity' ? Number.POSITIVE_INFINITY : (value ?? Number.NaN)))
  .meta({
    description: 'Microseconds; "Infinity" where an unfinished request is part of the figure, null without values.',
  });

export const summary = z
  .strictObject({
    count: z.int().min(0),
    minUs: us,
    q1Us: us,
    medianUs: us,
    q3Us: us,
    p95Us: us,
    p99Us: us,
    p999Us: us,
    maxUs: us,
    meanUs: us,
    stdUs: us,
  })
  .meta({ id: 'summary', description: 'Five-number summary and tails of a set of intervals.' })
  .transform(withInfiniteMean);
export type Summary = z.output<typeof summary>;

/** Older results have mean and deviation of the finished requests alone. A maximum of +∞ marks unfinished ones. */
function withInfiniteMean<T extends { maxUs: number; meanUs: number; stdUs: number }>(figures: T): T {
  const { maxUs } = figures;
  return maxUs === Number.POSITIVE_INFINITY ? { ...figures, meanUs: maxUs, stdUs: maxUs } : figures;
}

const counts = z.record(z.string(), z.int().min(0));

/** Use by threads, over the measured window. */
const threadUse = z.strictObject({
  cpuUs: z.number(),
  waitUs: z.number().meta({ description: 'Time in which they were runnable while other threads had the processors.' }),
  slices: z.number().meta({ description: 'Number of times that they got a processor.' }),
});

/** Pauses of main threads for garbage collections. */
const collectionPauses = z.strictObject({
  count: z.int().min(0).meta({ description: 'One major collection can have several pauses.' }),
  pauseUs: z.number().meta({ description: 'Sum of all of them.' }),
  maxPauseUs: z.number(),
});

/**
 * Resource use of one role or host over the measured window, from just before the first request to the last answer. A
 * field that the system does not report is absent.
 */
export const resourceUse = z.strictObject({
  processes: z.int().min(0).optional(),
  cpuPercent: z.number().optional().meta({ description: '100 is one core busy all the time.' }),
  idleCpuPercent: z.number().optional().meta({
    description:
      'CPU use of the same processes just before the load, without requests. Subtracted from `cpuUsPerRequest`.',
  }),
  rssBytes: z.number().optional().meta({
    description:
      'Resident set at the end of the window, summed over processes; of the host, all memory that is in use.',
  }),
  pssBytes: z.number().optional().meta({ description: 'Proportional set size, summed over processes.' }),
  eventLoopUtilization: z.number().min(0).max(1).optional().meta({ description: 'Highest of the processes.' }),
  idlePercent: z.number().optional().meta({ description: 'Host only: idle share of all cores.' }),
  stolenPercent: z.number().optional().meta({
    description:
      'Host only: share of all cores that the hypervisor gave to other machines while this one wanted to run.',
  }),
  foreignPercent: z.number().optional().meta({
    description:
      'Host only: share of all cores used by programs other than topo-bench, its services and its database servers. Absent where they cannot be distinguished.',
  }),
  connections: z.int().optional().meta({ description: 'Open connections to next hops at the end of the window.' }),
  queuedMax: z.int().optional().meta({ description: 'Max calls that waited for a connection at the same time.' }),
});
export type ResourceUse = z.output<typeof resourceUse>;

/**
 * Figures that explain the performance of a role, summed over its processes and the measured window. Fields that a host
 * does not report are absent.
 */
export const processRecord = z
  .strictObject({
    mainThread: threadUse.optional().meta({ description: 'Main threads, in which event loops turn.' }),
    otherThreads: threadUse.optional().meta({ description: 'All other threads, which collect garbage and compile.' }),
    collections: z.strictObject({ minor: collectionPauses, major: collectionPauses }).optional().meta({
      description: 'Pauses of main threads for garbage collections, between reset and reading of the counters.',
    }),
    eventLoop: z
      .strictObject({
        turns: z.int().min(0),
        idleUs: z.number().meta({ description: 'Time in which they waited for events.' }),
      })
      .optional()
      .meta({
        description: 'Turns of event loops in the same time; absent where Node.js does not count them (22.0 to 22.7).',
      }),
    servedBefore: z
      .strictObject({ min: z.int().min(0), max: z.int().min(0) })
      .optional()
      .meta({
        description:
          'Requests that each process had served before the load, in the warm-up and in earlier cells: min and max.',
      }),
  })
  .meta({ id: 'processRecord', description: 'Causes of the figures of a role; summed over its processes.' });
export type ProcessRecord = z.output<typeof processRecord>;

export const lagLimit = z.strictObject({ p99Us: us, meanUs: us });
export type LagLimit = z.output<typeof lagLimit>;

export const validity = z.strictObject({
  valid: z.boolean(),
  reasons: z.array(z.string()).meta({ description: 'Reasons not to compare the repetition; empty when valid.' }),
  flags: z.array(z.string()).meta({
    description:
      'Remarks on a valid repetition: host-saturated (the host was idle for less than 5%, and most of the rest was ours), foreign-load (other programs had 10% of the processors or more), stolen (a hypervisor gave 1% or more to other machines), cold, unfinished, generator-limited, overlap.',
  }),
  onlyLate: z.literal(true).optional().meta({
    description:
      'Invalid for late requests alone, not for lack of a free core: `run` may measure the repetition again.',
  }),
  lagLimit: lagLimit.optional().meta({
    description:
      'Requests left too late where the 99th percentile and the mean of `schedulerLag` are both above it. The same for all repetitions of a round that are compared with one another. Absent in older results and where nothing is scheduled.',
  }),
});
export type Validity = z.output<typeof validity>;

export const factorLevels = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
export type FactorLevels = z.output<typeof factorLevels>;

const useSeries = z.strictObject({
  atMs: z.array(z.number()).meta({ description: 'End of each interval, since the start of the load.' }),
  cpuPercent: z.array(z.number()).meta({ description: 'Over the interval; 100 is one core busy all the time.' }),
  rssBytes: z.array(z.number()).meta({ description: 'Summed over the processes.' }),
});

/** History of a deployment at the start of a repetition. */
export const deploymentHistory = z
  .strictObject({
    rank: z.int().min(1).meta({
      description:
        '1: measured first on its deployment; 2: second, and so on. Measurements that another one replaced count too.',
    }),
    warmUp: z
      .strictObject({
        durationUs: z.number(),
        finalRps: z.number().meta({ description: 'Requests answered per second, over its last window.' }),
      })
      .optional()
      .meta({ description: 'The warm-up before its first measurement; absent where there was none.' }),
  })
  .meta({ id: 'deploymentHistory', description: 'History of the deployment when the repetition began.' });
export type DeploymentHistory = z.output<typeof deploymentHistory>;

/** Store figures of a repetition with reads and writes. */
export const persistenceResult = z.strictObject({
  configuration: z.string(),
  workload: z.string(),
  server: z
    .strictObject({
      name: z
        .string()
        .meta({ description: 'Reported by the server; a server with the protocol of another keeps its own name.' }),
      version: z.string(),
      origin: z.string().meta({ description: 'connection-string, embedded or found-binary.' }),
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
});
export type PersistenceResult = z.output<typeof persistenceResult>;

/** Transfer figures of a repetition of bulk transfers. Bytes are those of the columns in Arrow's buffers. */
export const transferResult = z.strictObject({
  protocol: z.string(),
  operation: z.string(),
  server: z
    .strictObject({ name: z.string(), version: z.string().optional() })
    .optional()
    .meta({ description: 'The server that moved the rows: topo-bench or pyarrow. Absent in older results.' }),
  streams: z.int(),
  rows: z.int().meta({ description: 'Rows that arrived, over all streams.' }),
  bytes: z.number().meta({ description: 'Of their columns.' }),
  batchRows: z.int(),
  durationUs: z.number().meta({ description: 'From the start of the first stream to the end of the last one.' }),
  megabytesPerSecond: z.number().meta({ description: '10^6 bytes of columns per second, over the whole transfer.' }),
  rowsPerSecond: z.number(),
  firstBatch: summary.meta({
    description:
      'Of each stream: from its start to its first batch (`get`) or to the acknowledgement of its first batch (`put`).',
  }),
  perStream: z
    .array(
      z.strictObject({
        rows: z.int(),
        bytes: z.number(),
        durationUs: z.number(),
        megabytesPerSecond: z.number(),
        wireBytes: z.number().optional().meta({ description: 'Bytes of the body over HTTP.' }),
      }),
    )
    .meta({ description: 'Streams that ended correctly.' }),
  checked: z.strictObject({ values: z.int(), wrong: z.int() }).meta({
    description: 'Compared values, and rows and values found wrong. With `put` the service reports what it kept.',
  }),
  governed: z
    .strictObject({ rules: z.int(), rows: z.int() })
    .optional()
    .meta({ description: 'Rules of the service, and rows that they decided; absent where nothing is enforced.' }),
  access: z
    .strictObject({ login: z.boolean(), tls: z.enum(['none', 'server', 'mutual']) })
    .optional()
    .meta({ description: 'Whether the streams logged in, and which sides showed certificates. Absent over HTTP.' }),
  series: z.record(z.string(), useSeries).meta({ description: 'Use of resources over the transfer, by `service`.' }),
});
export type TransferResult = z.output<typeof transferResult>;

/** A superseded measurement: its repetition was invalid for late requests alone, and was re-measured. */
export const discardedMeasurement = z
  .strictObject({
    startedAt: z.iso.datetime().optional(),
    achievedRps: z.number(),
    rtt: summary,
    responseTime: summary,
    schedulerLag: summary,
    host: resourceUse.optional(),
    validity,
    samples: z.string().optional().meta({ description: 'Path of the raw samples, relative to the run folder.' }),
  })
  .meta({ id: 'discardedMeasurement', description: 'Superseded measurement; not part of any figure.' });
export type DiscardedMeasurement = z.output<typeof discardedMeasurement>;

export const cell = z
  .strictObject({
    factors: factorLevels,
    repetition: z.int().min(1),
    source: z.enum(['measured', 'simulated']),
    startedAt: z.iso.datetime().optional(),
    offeredRps: z.number(),
    achievedRps: z.number(),
    rtt: summary,
    rttRefused: summary,
    responseTime: summary,
    serviceTime: summary.optional(),
    schedulerLag: summary,
    errors: counts.meta({
      description:
        "Errors by kind and hop, e.g. `unreachable:router-2`; also where requests were when the gateway's deadline cut them off (`deadline:router-2`), which count in `unfinished` and not in `outcomes.error`.",
    }),
    unfinished: z.int().min(0).meta({
      description: "Requests still open at the end of the drain, or cut off at the gateway's deadline for a request.",
    }),
    decisions: z.strictObject({
      allow: z.int(),
      deny: z.int(),
      redact: z.int(),
      reroute: z.int(),
      wrong: z.int().meta({
        description: 'Errors found by the oracle: in decisions, delivered copies, and exposure of requests.',
      }),
      byRule: counts,
    }),
    outcomes: z.strictObject({ completed: z.int(), refused: z.int(), error: z.int(), unfinished: z.int() }),
    exposureBytes: counts.meta({ description: 'By category of data.' }),
    hops: z
      .strictObject({ perRequest: z.number(), betweenNodesPerRequest: z.number() })
      .meta({ description: 'Mean over completed requests.' }),
    cpuUsPerRequest: z.record(z.string(), z.number()).meta({
      description:
        'By role, and `total`: CPU time from just before the first request to the last answer, less what the same processes use when idle, per answered request.',
    }),
    resources: z.record(z.string(), resourceUse).meta({ description: 'By role, plus `generator` and `host`.' }),
    processes: z
      .record(z.string(), processRecord)
      .optional()
      .meta({ description: 'By role: events inside its processes. Absent in older results.' }),
    generator: z
      .strictObject({
        realTimePriority: z
          .boolean()
          .meta({ description: 'Whether it had real-time priority, so that a busy host did not delay its requests.' }),
        coresKeptAwake: z
          .boolean()
          .optional()
          .meta({ description: 'Whether cores were kept from sleeping; absent in older results.' }),
        startErrorUs: z.number().optional().meta({
          description:
            'Max distance of a generator from the common start instant: error of the alignment of clocks, in µs. Absent in older results.',
        }),
      })
      .optional()
      .meta({ description: 'Privileges of the load generator; absent where none ran.' }),
    gateway: z
      .strictObject({
        priority: z.boolean().meta({ description: 'Whether it had priority over the other roles on a busy host.' }),
      })
      .optional()
      .meta({ description: 'Privileges of the gateway; absent where none ran.' }),
    deployment: deploymentHistory.optional().meta({
      description: 'History of the deployment when the repetition began; absent in older results and where it failed.',
    }),
    turns: z
      .strictObject({ levels: z.int().min(1), sliceUs: z.number(), gapUs: z.number() })
      .optional()
      .meta({
        description:
          'Number of cells that took turns in this repetition, length of their slices, and gap after each; absent where the cell was measured alone.',
      }),
    persistence: persistenceResult.optional().meta({ description: 'Reads and writes of a store only.' }),
    flight: transferResult.optional().meta({ description: 'Bulk transfers only.' }),
    validity,
    discarded: z.array(discardedMeasurement).optional().meta({
      description: 'Superseded measurements of this repetition, oldest first.',
    }),
    samples: z.string().optional().meta({ description: 'Path of the raw samples, relative to the run folder.' }),
  })
  .meta({ title: 'topo-bench cell', description: 'One repetition of one cell.' });
export type Cell = z.output<typeof cell>;

export const resultSchemaVersion = 1;

export const hostEnvironment = z.strictObject({
  node: z.string(),
  platform: z.string(),
  arch: z.string(),
  cpuModel: z.string(),
  cores: z.int(),
  memoryBytes: z.number(),
  kernel: z.string(),
  hostname: z.string().meta({ description: 'Hash of the host name: distinguishes machines without naming them.' }),
});
export type HostEnvironment = z.output<typeof hostEnvironment>;

/** Version of the process that runs topo-bench. */
export const environment = z.strictObject({ topoBench: z.string(), ...hostEnvironment.shape });
export type Environment = z.output<typeof environment>;

export const host = z.strictObject({
  id: z.string().meta({ description: 'Tells the hosts of a run apart.' }),
  ...hostEnvironment.shape,
});
export type Host = z.output<typeof host>;

export const runRecord = z
  .strictObject({
    schemaVersion: z.int(),
    name: z.string(),
    status: z.enum(['running', 'finished', 'interrupted', 'failed']),
    startedAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().optional(),
    command: z.array(z.string()),
    study: z
      .string()
      .optional()
      .meta({ description: 'Kind of study: `routing`, `store` or `transfer`; absent in older results.' }),
    experiment: z.unknown().meta({ description: 'The resolved experiment.' }),
    topology: z
      .unknown()
      .meta({ description: 'The resolved topology, with services and rules expanded by reference.' }),
    inputs: z
      .unknown()
      .optional()
      .meta({ description: 'The input files and the choices of the command line, from which a run is resumed.' }),
    seed: z.int(),
    environment,
    hosts: z.array(host).optional().meta({
      description: 'Machines that services ran on, with their own Node.js; absent before the first deployment.',
    }),
    plannedCells: z.array(factorLevels),
    repetitions: z.int(),
    storeServers: z
      .array(
        z.strictObject({
          engine: z.string(),
          file: z.string().optional().meta({ description: 'Host and port that the topology names.' }),
          address: z
            .string()
            .optional()
            .meta({ description: 'Host and port; absent for a server that topo-bench starts.' }),
          source: z.string().optional().meta({ description: 'Flag, variable or field that names it.' }),
        }),
      )
      .optional()
      .meta({ description: 'Servers of the stores; a resumed run must use the same.' }),
    failure: z.string().optional(),
    sideBySide: z
      .strictObject({ id: z.string(), side: z.enum(['baseline', 'candidate']), ref: z.string() })
      .optional()
      .meta({
        description:
          'One side of a gate whose sides took turns: repetitions of the run with the same id belong to those of this one.',
      }),
  })
  .meta({ title: 'topo-bench run', description: 'run.json of a run folder.' });
export type RunRecord = z.output<typeof runRecord>;

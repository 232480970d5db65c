/** Figures that entries of `cells.json` share: summaries, use of resources, validity. */
import { z } from 'zod';

/**
 * JSON lacks two numbers that intervals need. +∞ (a figure that includes an unfinished request) is written as the
 * string "Infinity". NaN (no value, such as the median of nothing) is written as null.
 */
export const us = z
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

export const counts = z.record(z.string(), z.int().min(0));

/** Use by threads, over the measured window. */
const threadUse = z.strictObject({
  cpuUs: z.number(),
  waitUs: z.number().meta({ description: 'Time in which they were runnable while other threads had the processors.' }),
  slices: z.number().meta({ description: 'Number of times that they got a processor.' }),
});

const cpuTime = z.strictObject({
  userUs: z.number().min(0),
  systemUs: z.number().min(0).meta({ description: 'In the kernel; in steps of 10 ms on most hosts.' }),
});

const inAndOut = (description: string) =>
  z.strictObject({ received: z.int().min(0), sent: z.int().min(0) }).meta({ description });

/** What one role used and handled. Absent fields are unknown. */
const roleRecord = z
  .strictObject({
    cpu: cpuTime.optional().meta({
      description: 'CPU time of all threads, idle use included. Absent where the host does not report both parts.',
    }),
    wait: z
      .strictObject({ mainThreadUs: z.number().min(0), otherThreadsUs: z.number().min(0) })
      .optional()
      .meta({
        description:
          'Time in which threads were runnable while other threads had the processors (Linux, from `schedstat`). Absent on other systems, and where an engine on another host counts.',
      }),
    served: z.int().min(0).optional().meta({ description: 'Requests that it finished.' }),
    turns: z.int().min(0).optional().meta({ description: 'Turns of its event loop.' }),
    messages: inAndOut(
      'Requests to it, of clients and of other roles, and its calls to other roles and services. Each has one answer. Control routes are not counted.',
    ).optional(),
    bytes: inAndOut('Bodies of these messages and of their answers; streams of rows are not counted.').optional(),
    connections: z
      .strictObject({
        opened: z.int().min(0).meta({ description: 'Since the reset of the counters.' }),
        open: z.int().min(0).meta({ description: 'At the end.' }),
      })
      .optional()
      .meta({ description: 'Connections to next hops.' }),
  })
  .meta({ id: 'roleRecord', description: 'Use and work of one role, over the same time as those of its kind.' });
export type RoleRecord = z.output<typeof roleRecord>;

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
  quotaPeriods: z.int().optional().meta({
    description:
      'Periods (of 100 ms) in which containers with a limit on CPU time had work, summed over them. Absent without a limit.',
  }),
  throttledPeriods: z.int().optional().meta({
    description: 'Those of them in which a container used up its limit and was stopped until the next one.',
  }),
  throttledUs: z.number().optional().meta({ description: 'Time that their threads were stopped.' }),
  idlePercent: z.number().optional().meta({
    description:
      'Host only: idle share of the cores that topo-bench may use (`taskset`, CPU set), or of its limit on CPU time where that is less. All cores of the machine where services run outside of topo-bench, in containers or pods, and in older results.',
  }),
  stolenPercent: z.number().optional().meta({
    description:
      'Host only: share of these cores that the hypervisor gave to other machines while this one wanted to run.',
  }),
  foreignPercent: z.number().optional().meta({
    description:
      'Host only: share of these cores used by programs other than topo-bench, its services and its database servers. Absent where they cannot be distinguished.',
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
    cpu: cpuTime.optional().meta({
      description:
        'CPU time, idle use included. Absent in older results and where the host does not report both parts.',
    }),
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
    roles: z.record(z.string(), roleRecord).optional().meta({
      description: 'Each role of the kind, by name. Absent in older results.',
    }),
  })
  .meta({ id: 'processRecord', description: 'Causes of the figures of a role; summed over its processes.' });
export type ProcessRecord = z.output<typeof processRecord>;

export const factorLevels = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
export type FactorLevels = z.output<typeof factorLevels>;

export const useSeries = z.strictObject({
  atMs: z.array(z.number()).meta({ description: 'End of each interval, since the start of the load.' }),
  cpuPercent: z.array(z.number()).meta({ description: 'Over the interval; 100 is one core busy all the time.' }),
  rssBytes: z.array(z.number()).meta({ description: 'Summed over the processes.' }),
});
export type UseSeries = z.output<typeof useSeries>;

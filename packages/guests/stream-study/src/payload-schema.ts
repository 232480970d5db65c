/** What an entry of `cells.json` has of a stream study: its jobs, their checked heat maps, and a recovery. */
import { summary } from '@topo-bench/core/schema/figures';
import { z } from 'zod';

const streamRun = z.strictObject({
  points: z.int().meta({ description: 'Points, entries or queries of the job.' }),
  ratePerSecond: z
    .number()
    .optional()
    .meta({ description: 'Intended points, entries or queries per second; absent at full speed.' }),
  durationUs: z.number().meta({ description: 'From the first point to the last acknowledgement.' }),
  pointsPerSecond: z.number(),
  rows: z.int().meta({ description: 'Rows that the database acknowledged, or returned to queries.' }),
  writes: z.int().meta({ description: 'Writes, or reads of a job that reads.' }),
  late: z.int().meta({ description: 'Points behind their window, which no row includes.' }),
  backPressureUs: z.number().meta({ description: 'Time that the source waited for the database.' }),
  queueGrowth: z.number().optional().meta({
    description: 'Paced jobs: by how much the source falls behind in each second, in s.',
  }),
  backlog: z.number().min(0).optional().meta({
    description:
      'Paced jobs: how long the database still took rows after the end of the schedule, as a share of the schedule. One write does not count, nor do rows that waited for the end of their windows.',
  }),
  grid: z
    .strictObject({ unflushed: z.int().min(0), flushUs: z.number().min(0) })
    .optional()
    .meta({
      description:
        'With a grid: crossings that the grid alone had at the last acknowledgement, which its death would have lost then, and the time of their flush, which is in no other figure.',
    }),
  flink: z
    .strictObject({
      version: z.string(),
      restarts: z.int().min(0).meta({ description: 'Attempts after the first one.' }),
      checkpoints: z
        .strictObject({
          completed: z.int().min(0),
          failed: z.int().min(0),
          meanUs: z.number().min(0),
          maxUs: z.number().min(0),
        })
        .meta({ description: 'Their number, and the time of a complete one from its start to its last part.' }),
      tasks: z
        .array(
          z.strictObject({
            name: z.string(),
            parallelism: z.int().min(1),
            records: z.int().min(0).meta({ description: 'From the task before; of a source: to the next one.' }),
            recordsPerSecond: z.number().min(0),
            busyUs: z.number().min(0).optional(),
            backPressureUs: z.number().min(0).optional(),
          }),
        )
        .meta({
          description: 'Chains of operators, with the times of all instances of each together, unless Flink has none.',
        }),
    })
    .optional()
    .meta({ description: 'Metrics of a job on Apache Flink, from its REST interface.' }),
  endToEnd: summary.meta({
    description: 'Row by row: from the creation of its first point, intended if paced, to the acknowledgement.',
  }),
  storeAccess: summary.meta({ description: 'Each write or read, from the call to the acknowledgement or the rows.' }),
});

/** Figures of a repetition that ran a stream job over a database. */
export const streamResult = z
  .strictObject({
    database: z.string().meta({ description: 'Name and version as reported by the server.' }),
    client: z.string().optional().meta({
      description:
        'Library through which the stream processor uses the database; absent on Flink, whose job has its own.',
    }),
    address: z.string().optional().meta({
      description: 'Host and port of a user-supplied server; absent where topo-bench started it.',
    }),
    fullSpeed: streamRun.meta({ description: 'Back-pressure of the database sets the rate.' }),
    trials: z.array(streamRun).meta({ description: 'Paced jobs of the search, in their order.' }),
    sustainedPerSecond: z.number().optional().meta({
      description:
        'Highest tried rate at which the database kept up: `queueGrowth` and `backlog` are 5% or less. Absent where it did at none.',
    }),
    paced: streamRun.meta({ description: 'The job at `rate`, from which latencies are reported.' }),
    counts: z.record(z.string(), z.array(z.number())).meta({
      description: 'Paced job: what each operator passed on in each tenth of a second.',
    }),
    checked: z
      .strictObject({
        heatMaps: z.int(),
        answers: z.int().optional(),
        cells: z.int(),
        wrong: z.int().min(0),
        lost: z.int().min(0),
        duplicated: z.int().min(0),
        late: z.int().min(0),
      })
      .meta({
        description:
          'Final heat maps of all jobs against the oracle: cells in them, cells with a wrong sum or time, crossings that are missing, crossings too many, and late points. Jobs that read: their answers, rows in these (`cells`), wrong answers, missing ones, repeated ones, and late queries.',
      }),
    recovery: z
      .strictObject({
        killedAfterUs: z.number(),
        resumedAt: z.int().meta({ description: 'Points or entries that the checkpoints included.' }),
        replayed: z.int().meta({ description: 'Points or entries that were read again.' }),
        resumeUs: z.number().meta({ description: 'From the kill to the end of the resumed job.' }),
        wrong: z.int().min(0).meta({ description: 'Cells.' }),
        lost: z.int().min(0),
        duplicated: z.int().min(0),
      })
      .optional()
      .meta({ description: 'Job whose processor was killed and resumed, and its heat map against the oracle.' }),
    writtenBytes: z.number().optional().meta({
      description:
        'Bytes that the processes of the server wrote to files over the job at full speed, as the kernel counts them; absent for unknown processes.',
    }),
    storageBytes: z.number().meta({
      description:
        'Heat map of the job at full speed, with its indexes, as the server reports it; on MongoDB servers documents without compression, on Cassandra, Ignite and HBase the sum of the values without indexes.',
    }),
    roles: z
      .record(
        z.string(),
        z.strictObject({
          cpuUs: z.number().optional(),
          peakRssBytes: z.number().optional(),
          rssBytes: z.number().optional(),
        }),
      )
      .meta({
        description:
          'CPU time over the job at full speed, by role: `engine` and `store`. Resident memory: `peakRssBytes` of the engine over all jobs, and `rssBytes` of the server after the job at full speed, which earlier versions called `peakRssBytes` too.',
      }),
    options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).meta({
      description: 'Settings of the job, defaults included.',
    }),
  })
  .meta({ description: 'Stream jobs over a database only.' });

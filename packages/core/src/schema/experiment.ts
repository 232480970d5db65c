/** The experiment file: a topology, the factors that vary, and the measurement of each cell. */
import { z } from 'zod';
import { exampleLevels } from '../architectures.ts';
import { factorTable } from '../factors.ts';
import { runnerNames } from '../runner-names.ts';
import { access } from './access.ts';
import { load, warmup } from './experiment/load.ts';
import { persistence } from './experiment/store-load.ts';
import { flight } from './experiment/transfer.ts';
import { duration, type IssueDetails, name, share } from './quantities.ts';
import { stream } from './stream.ts';

export {
  type ArrivalLaw,
  arrivalLaws,
  type DriverName,
  type LoadOrigin,
  type RequestDriverName,
  requestDrivers,
} from './experiment/load.ts';
export type { KeyLaw } from './experiment/store-load.ts';
export type { TransferOperation, TransferProtocol } from './experiment/transfer.ts';

const factorLevel = z.union([z.string(), z.number(), z.boolean()]);

export const deployModes = ['fresh', 'round', 'interleaved'] as const;
export type DeployMode = (typeof deployModes)[number];

const turns = z.strictObject({
  slice: duration.prefault('500ms').meta({
    description: 'Load of one turn. Shorter than typical disturbances of a machine, longer than a request.',
  }),
  gap: duration.prefault('100ms').meta({
    description:
      'Pause after each turn, in which requests in flight finish. Where more than 1% take longer, the repetition has the flag `overlap`.',
  }),
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
    topology: z.string().optional().meta({
      description:
        'Path of the topology file, relative to this file. Required unless the experiment has `access` or `stream`.',
    }),
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
    access: access.optional(),
    stream: stream.optional(),
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
            'Smallest difference between cells that matters, as a share of the median. Requests that leave late make a repetition invalid only where their mean lag is above a tenth of it. Where levels or the sides of a gate take turns: above half of it.',
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
  .superRefine(({ topology, access, stream, persistence, flight }, context) => {
    const issue = (path: string, message: string, details: IssueDetails): void =>
      context.addIssue({ code: 'custom', path: [path], message, params: { ...details } });
    if (topology === undefined && access === undefined && stream === undefined) {
      const hint = 'name a topology file; only experiments with `access` or `stream` have none';
      issue('topology', 'missing, expected a text', { code: 'TB_SCHEMA_MISSING_KEY', hint });
    }
    const own = access === undefined ? 'stream' : 'access';
    if (access === undefined && stream === undefined) return;
    const code = own === 'access' ? 'TB_EXPERIMENT_ACCESS' : 'TB_EXPERIMENT_STREAM';
    const others = { topology, persistence, flight, ...(own === 'access' && { stream }) };
    for (const [name, value] of Object.entries(others)) {
      if (value === undefined) continue;
      const message = `\`${name}\` does not go together with \`${own}\`, which deploys no services`;
      issue(name, message, { code, hint: `leave out \`${name}\`, or \`${own}\`` });
    }
  })
  .meta({ title: 'topo-bench experiment', description: 'Factors, repetitions and load of a run.' });

/** A parsed experiment with defaults; durations in µs, shares as fractions. */
export type ExperimentFile = z.output<typeof experimentFile>;

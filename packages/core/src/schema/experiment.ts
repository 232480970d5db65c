/**
 * The experiment file: a topology, the factors that vary, the measurement of each cell, and a field of the kind of
 * study.
 */
import { z } from 'zod';
import { exampleLevels } from '../architectures.ts';
import { type FactorLevel, factorNames } from '../factors.ts';
import { runnerNames } from '../runner-names.ts';
import { experimentEvents } from './experiment/events.ts';
import { load, warmup } from './experiment/load.ts';
import { duration, type IssueDetails, name, share } from './quantities.ts';
import { composedSchema, type OwnField, optionalFields, ownFields } from './study-parts.ts';

export type { CrashLaw, ExperimentEvent } from './experiment/events.ts';
export {
  type ArrivalLaw,
  arrivalLaws,
  type DriverName,
  type LoadOrigin,
  type RequestDriverName,
  requestDrivers,
} from './experiment/load.ts';

const factorLevel = z.union([z.string(), z.number(), z.boolean()]);

/** Read as the names of the levels; `packages/experiment/src/named-levels.ts` has what they set. */
const namedLevels = z
  .record(z.string().min(1), z.unknown())
  .refine((levels) => Object.keys(levels).length > 0, { message: 'expected at least one level' })
  .transform((levels): FactorLevel[] => Object.keys(levels));

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

/** The fields that experiments of all kinds have; their descriptions name the kinds that have joined. */
function commonFields(own: readonly OwnField[]) {
  const free = own.filter(({ withoutServices }) => withoutServices);
  const unless = free.length === 0 ? '' : ` unless the experiment has ${alternatives(free.map(quoted))}`;
  const thresholds = ['`rtt.p95 < 20ms`', ...own.flatMap(({ threshold }) => threshold ?? [])].join(' or, ');
  return z.strictObject({
    $schema: z.string().optional(),
    apiVersion: z.literal('topo-bench/v1'),
    kind: z.literal('Experiment'),
    name,
    description: z.string().optional(),
    topology: z
      .string()
      .optional()
      .meta({
        description: `Path of the topology file, relative to this file. Required${unless}.`,
      }),
    set: z
      .record(z.string(), z.unknown())
      .default({})
      .meta({ description: 'Fields of the topology to replace, by path or short name, e.g. `deadlines.hop: 120s`.' }),
    factors: z
      .record(z.string(), z.union([z.array(factorLevel).min(1), namedLevels]))
      .prefault({})
      .meta({
        description: `Levels by factor: a list, or a map from names of levels to values. A factor with a name of your own is a map from names of levels to the fields that each sets. Short names: ${factorNames().join(', ')}; any other field by path, e.g. \`load.driver\` or \`topology.deadlines.hop\`. Levels of architecture: ${architectureLevels}.`,
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
    warmup: warmup.prefault({}),
    duration: duration.prefault('10s'),
    drain: duration.prefault('60s').meta({ description: 'Max wait for open requests after the load.' }),
    events: experimentEvents.prefault([]).meta({
      description:
        'Parts that fail and rules that change while the load runs, at stated times. For routing experiments with the driver `open`; not with `deploy: interleaved`.',
    }),
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
    thresholds: z
      .array(z.string().min(1))
      .min(1)
      .optional()
      .meta({
        description: `Thresholds of \`gate\` for a run of this experiment, e.g. \`rtt.median < +5%\`, ${thresholds}.`,
      }),
    published: z
      .string()
      .optional()
      .meta({ description: 'CSV with published figures to show next to the results, relative to this file.' }),
  });
}

/** An experiment with defaults: durations in µs, shares as fractions. `SettingsWith` adds the field of a study. */
export type ExperimentFile = z.output<ReturnType<typeof commonFields>>;

/** An experiment whose field of this kind has been checked; other kinds have none. */
export type SettingsWith<Own extends OwnField> = ExperimentFile & {
  readonly [Name in Own['name']]?: z.output<Own['settings']>;
};

/** The schema of experiment files, with the fields of all kinds of study that have joined. */
export const experimentFile = composedSchema((): z.ZodType<ExperimentFile> => {
  const own = ownFields();
  return commonFields(own)
    .extend(optionalFields(own.map(({ name, settings }) => [name, settings])))
    .superRefine((file, context) => {
      const issue = (path: string, message: string, details: IssueDetails): void =>
        context.addIssue({ code: 'custom', path: [path], message, params: { ...details } });
      requireServices(file, own, issue);
    })
    .meta({ title: 'topo-bench experiment', description: 'Factors, repetitions and load of a run.' });
});

/** A topology and the fields of other kinds need services, which some kinds do not deploy. */
function requireServices(
  file: Readonly<Record<string, unknown>>,
  fields: readonly OwnField[],
  issue: (path: string, message: string, details: IssueDetails) => void,
): void {
  const free = fields.filter(({ withoutServices }) => withoutServices);
  const own = free.find(({ name }) => file[name] !== undefined);
  if (own?.withoutServices === undefined) {
    if (file.topology !== undefined) return;
    const only = free.length === 0 ? '' : `; only experiments with ${alternatives(free.map(quoted))} have none`;
    issue('topology', 'missing, expected a text', {
      code: 'TB_SCHEMA_MISSING_KEY',
      hint: `name a topology file${only}`,
    });
    return;
  }
  for (const other of ['topology', ...fields.map(({ name }) => name)]) {
    if (other === own.name || file[other] === undefined) continue;
    const message = `\`${other}\` does not go together with \`${own.name}\`, which deploys no services`;
    issue(other, message, { code: own.withoutServices, hint: `leave out \`${other}\`, or \`${own.name}\`` });
  }
}

function quoted({ name }: OwnField): string {
  return `\`${name}\``;
}

/** `a, b or c` */
function alternatives(texts: readonly string[]): string {
  return [texts.slice(0, -1).join(', '), ...texts.slice(-1)].filter((text) => text !== '').join(' or ');
}

/**
 * Schema of a run folder: the entries of `cells.json` here; the parts of an entry and `run.json` in the folder. Field
 * names include their unit.
 */
import { z } from 'zod';
import { calibrationUncertainty } from './result/calibration-uncertainty.ts';
import { deploymentHistory } from './result/deployment-history.ts';
import { eventRecord } from './result/events.ts';
import { counts, factorLevels, processRecord, resourceUse, summary } from './result/figures.ts';
import { generatorFigures } from './result/generator.ts';
import { prediction } from './result/prediction.ts';
import { classesOverTime, requestClasses } from './result/request-classes.ts';
import type { RunRecord } from './result/run-record.ts';
import { slowRequests } from './result/slow-episodes.ts';
import { staleness, takenOverSteps, undecidedSteps } from './result/staleness.ts';
import { cellTimeline } from './result/timeline.ts';
import { validity } from './result/validity.ts';
import { composedSchema, type OwnField, optionalFields, ownFields } from './study-parts.ts';

export type { CalibrationUncertainty } from './result/calibration-uncertainty.ts';
export type {
  DeploymentHistory,
  NetworkPolicyFigures,
} from './result/deployment-history.ts';
export type { EventEffects, EventInstant, EventRecord } from './result/events.ts';
export {
  type FactorLevels,
  type ProcessRecord,
  type ResourceUse,
  type RoleRecord,
  type Summary,
  summary,
  type UseSeries,
} from './result/figures.ts';
export type { Prediction } from './result/prediction.ts';
export type { ClassesOverTime, RequestClasses } from './result/request-classes.ts';
export * from './result/run-record.ts';
export {
  type EpisodeCause,
  type SlowEpisode,
  type SlowRequests,
  slowRequests,
} from './result/slow-episodes.ts';
export type { StaleFigures, Staleness, UndecidedFigures } from './result/staleness.ts';
export { type CellTimeline, type CellTimelineEvent, cellTimeline } from './result/timeline.ts';

export type { LagLimit, Validity, ValidityReason } from './result/validity.ts';

/** A superseded measurement: its repetition was invalid for late requests alone, and was re-measured. */
const discardedMeasurement = z
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

/** The head of an entry: what cells of all kinds of study have. */
export const cellHead = z.strictObject({
  factors: factorLevels,
  repetition: z.int().min(1),
  source: z.enum(['measured', 'simulated']),
  startedAt: z.iso.datetime().optional(),
  offeredRps: z.number(),
  achievedRps: z.number(),
  rtt: summary,
  rttRefused: summary,
  rttByClass: z.record(z.string(), summary).optional().meta({
    description: 'Round-trip times of completed requests by their class; absent with one class, and in older results.',
  }),
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
  timeline: cellTimeline.optional().meta({
    description: 'What happened when. Routing studies only; absent in older results.',
  }),
  classes: requestClasses.optional().meta({
    description: 'Routing studies only; absent in older results.',
  }),
  classesOverTime: classesOverTime.optional().meta({ description: 'Present with planned events.' }),
  events: z.array(eventRecord).optional().meta({
    description: 'Planned events on the clock of the load, in the order of the experiment; absent without any.',
  }),
  staleness: staleness.optional().meta({
    description: 'Changes of rules under load; absent without any.',
  }),
  undecided: undecidedSteps.optional().meta({
    description: 'What `enforcement.failOpen` let through; absent without it.',
  }),
  takenOver: takenOverSteps.optional().meta({
    description: 'Steps that another enforcement point took over; absent without `takeover`. Replicas are one point.',
  }),
  slow: slowRequests.optional().meta({
    description:
      'Routing studies only; absent in older results, for fewer than 20 completed requests, and where a quarter never finished.',
  }),
  generator: generatorFigures
    .optional()
    .meta({ description: 'Privileges of the load generator; absent where none ran.' }),
  gateway: z
    .strictObject({
      priority: z.boolean().meta({ description: 'Whether it had priority over the other roles on a busy host.' }),
    })
    .optional()
    .meta({ description: 'Privileges of the gateway; absent where none ran.' }),
  deployment: deploymentHistory.optional().meta({
    description: 'The deployment of the repetition; absent in older results and where it failed.',
  }),
  turns: z
    .strictObject({
      levels: z.int().min(1),
      sliceUs: z.number(),
      gapUs: z.number(),
      lagErrorUs: z.number().optional().meta({
        description:
          'Standard error of the mean scheduler lag, by slices. Absent with one slice, and in older results.',
      }),
      leftOut: z
        .strictObject({ slices: z.int().min(1), ofSlices: z.int().min(1), requests: z.int().min(0) })
        .optional()
        .meta({
          description:
            'Slices in which requests left late, on this side or another; all sides lose them. Requests: those of this side. Only CPU time per request includes them.',
        }),
    })
    .optional()
    .meta({
      description:
        'Number of cells that took turns in this repetition, length of their slices, and gap after each; absent where the cell was measured alone.',
    }),
  calibrationUncertainty: calibrationUncertainty.optional().meta({
    description: 'Of cells simulated with a fitted calibration; absent otherwise.',
  }),
  prediction: prediction.optional().meta({ description: 'Of simulated cells; absent in measured ones.' }),
  validity,
  discarded: z.array(discardedMeasurement).optional().meta({
    description: 'Superseded measurements of this repetition, oldest first.',
  }),
  samples: z.string().optional().meta({ description: 'Path of the raw samples, relative to the run folder.' }),
});

/** An entry of `cells.json`: its head. `CellWith` adds the payload of a kind of study. */
export type Cell = z.output<typeof cellHead>;

/** An entry whose payload of this kind has been checked; other kinds have none. */
export type CellWith<Own extends OwnField> = Cell & {
  readonly [Name in Own['name']]?: z.output<Own['payload']>;
};

/** The schema of entries, with the payloads of all kinds of study that have joined. */
export const cell = composedSchema(
  (): z.ZodType<Cell> =>
    cellHead
      .extend(optionalFields(ownFields().map(({ name, payload }) => [name, payload])))
      .meta({ title: 'topo-bench cell', description: 'One repetition of one cell.' }),
);

/** A run folder as plain data, independent of its source. */
export interface RunFolder {
  readonly folder: string;
  readonly record: RunRecord;
  /** In the order measured. */
  readonly cells: readonly Cell[];
}

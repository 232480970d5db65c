/** The entry of `cells.json` for a measured repetition: every figure from where it was measured, and whether it may be compared. */
import type { RoleStats, TopoBenchError } from '@topo-bench/core';
import type { Cell, DeploymentHistory } from '@topo-bench/core/schema/result';
import { type HostUse, hostResources } from '@topo-bench/host';
import { generatorUse, type LoadJob, type LoadResult, scheduleAdherence, validityOf } from '@topo-bench/loadgen';
import type { Sample } from '@topo-bench/results';
import type { Deployment } from '@topo-bench/runners';
import type { ExperimentCell } from './build-cell.ts';
import type { DecisionCheck } from './check-decisions.ts';
import { countSamples } from './count-samples.ts';
import { processRecords } from './process-records.ts';
import type { ProcessUse } from './process-use.ts';
import { cpuUsPerRequest, roleResources } from './role-usage.ts';
import { summariseSamples } from './summarise-samples.ts';

export interface RepetitionFacts {
  deployment: Pick<Deployment, 'roles'>;
  history: DeploymentHistory;
  cell: ExperimentCell;
  repetition: number;
  job: LoadJob;
  load: LoadResult;
  samples: readonly Sample[];
  check: DecisionCheck;
  /** Whether the warm-up settled. */
  warm: boolean;
  deaths: readonly TopoBenchError[];
  stats: readonly RoleStats[];
  windowUs: number;
  /** By kind of role; empty where the host does not tell. */
  use: Readonly<Record<string, ProcessUse>>;
  pssBytesOf: ReadonlyMap<number, number>;
  host: HostUse | undefined;
}

export function assembleCell(facts: RepetitionFacts): Cell {
  const { cell, repetition, job, load, samples, check, stats, windowUs, use, pssBytesOf, host } = facts;
  const counts = countSamples(samples, check.wrong);
  const summaries = summariseSamples(samples);
  const open = cell.settings.load.driver === 'open';
  const achievedRps = (load.sent * 1e6) / load.durationUs;
  const { completed, refused, error } = counts.outcomes;
  return {
    factors: cell.levels,
    repetition,
    source: 'measured',
    startedAt: load.startedAt.toISOString(),
    offeredRps: open ? job.rateRps : achievedRps,
    achievedRps,
    ...summaries,
    ...counts,
    cpuUsPerRequest: cpuUsPerRequest(stats, use, completed + refused + error),
    resources: {
      ...roleResources(stats, windowUs, use, pssBytesOf),
      generator: generatorUse(load),
      ...hostResources(host),
    },
    processes: processRecords(use, stats),
    generator: load.granted,
    ...gatewayRecord(facts.deployment),
    deployment: facts.history,
    validity: validity(facts, counts, summaries),
  };
}

/** Empty where the runner cannot tell. */
function gatewayRecord({ roles }: RepetitionFacts['deployment']): Pick<Cell, 'gateway'> {
  const { goesFirst } = roles.find(({ kind }) => kind === 'gateway') ?? {};
  return goesFirst === undefined ? {} : { gateway: { priority: goesFirst } };
}

function validity(
  { cell, load, check, warm, deaths, host, samples }: RepetitionFacts,
  { outcomes, unfinished }: Pick<Cell, 'outcomes' | 'unfinished'>,
  { rtt, schedulerLag }: Pick<Cell, 'rtt' | 'schedulerLag'>,
): Cell['validity'] {
  const open = cell.settings.load.driver === 'open';
  const verdict = validityOf({
    ...(open && {
      schedule: scheduleAdherence(load.samples, load.durationUs),
      schedulerLag: { ...schedulerLag, smallestDifference: cell.settings.validity.smallestDifference },
      inFlight: load.inFlight,
      realTimePriority: load.granted.realTimePriority,
    }),
    medianRttUs: rtt.medianUs,
    generatorUtilizations: load.generators.map(({ eventLoopUtilization }) => eventLoopUtilization),
    wrongDecisions: check.wrong,
    errors: outcomes.error,
    requests: samples.length,
    maxErrorShare: cell.settings.validity.maxErrorShare,
    deadRoles: deaths.map(({ message }) => message.split('\n')[0] as string),
    ...(host && { host }),
    warm,
    unfinished,
  });
  return check.examples.length === 0
    ? verdict
    : { ...verdict, reasons: [...verdict.reasons, `wrong: ${check.examples.join('; ')}`] };
}

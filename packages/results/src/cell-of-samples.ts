/**
 * Builds an entry of `cells.json` from the samples of a repetition and facts about its load. All kinds of study use it,
 * measured or simulated. A new field of `Cell` needs a change in its schema and in this file. The cost of a deployment
 * follows later: `withDeploymentCost`.
 */
import { type LoadFacts, type Sample, TopoBenchError } from '@topo-bench/core';
import type {
  Cell,
  DeploymentHistory,
  FactorLevels,
  ResourceUse,
  Validity,
  ValidityReason,
} from '@topo-bench/core/schema/result';
import { type HostUse, hostResources } from '@topo-bench/host';
import { summarise } from '@topo-bench/stats';
import { countErrors, countSamples, type SampleCounts } from './count-samples.ts';
import { type CpuUse, cpuPerRequest } from './cpu-per-request.ts';
import { generatorFigures } from './generator-figures.ts';
import { generatorResources } from './generator-resources.ts';
import { reasonsOf, withReasons } from './reasons.ts';
import { scheduleAdherence } from './schedule-adherence.ts';
import { type SampleSummaries, summariseSamples } from './summarise-samples.ts';
import { validityOf } from './validity.ts';

/** Optional fields of a cell, filled in by the study. */
export type StudyFields = Partial<
  Pick<
    Cell,
    | 'serviceTime'
    | 'processes'
    | 'timeline'
    | 'slow'
    | 'gateway'
    | 'deployment'
    | 'turns'
    | 'classes'
    | 'classesOverTime'
    | 'events'
    | 'staleness'
    | 'undecided'
    | 'takenOver'
  >
>;

export interface Repetition {
  source: Cell['source'];
  factors: FactorLevels;
  repetition: number;
  load: LoadFacts;
  /** Samples of all requests, in the order of the schedule. */
  samples: readonly Sample[];
  /** Open model only. `smallestDifference`: min relevant share of the median; it limits how late requests may leave. */
  schedule?: { rateRps: number; smallestDifference: number };
  /** Default: requests sent divided by the duration of the load. */
  achievedRps?: number;
  /** No gateway measured round-trip times. Lateness is then judged by response times. */
  withoutRtt?: boolean;
  /** Figures that the study does not take from its samples. */
  figures?: Partial<SampleSummaries & Pick<SampleCounts, 'decisions' | 'exposureBytes'>>;
  study?: StudyFields;
  /** Findings of the oracle: number of errors, with the first ones as sentences. */
  check?: { wrong: number; examples: readonly string[] };
  /** Requests that were answered in the window of the CPU time. Default: those of the samples. */
  answered?: number;
  /** CPU time by role, over the window of the load. */
  cpu?: Readonly<Record<string, CpuUse>>;
  /** By role, without generator and host. */
  resources?: Readonly<Record<string, ResourceUse>>;
  host?: HostUse | undefined;
  /** Errors above this share of the requests make the repetition invalid, 0…1. */
  maxErrorShare: number;
  /** Errors by kind that count for the share: no planned event explains them. Default: all. */
  unplannedErrors?: Readonly<Record<string, number>>;
  /** Errors of roles whose process ended during the repetition. */
  deaths?: readonly TopoBenchError[];
  /** Whether throughput settled during the warm-up. */
  warm?: boolean;
  /**
   * Further reasons for invalidity, and flags, from the study. `aftermath`: reasons found after the load, which an
   * overload explains.
   */
  findings?: { reasons?: readonly string[]; aftermath?: readonly string[]; flags?: readonly string[] };
  /** A CPU-bound generator does not invalidate this repetition. */
  mayBeGeneratorBound?: boolean;
  /** Error that prevented the measurement; then it is the only reason for invalidity. */
  failure?: TopoBenchError;
}

/** Pure function of the repetition. A kind of study adds its payload. */
export function cellOfSamples(facts: Repetition): Cell {
  const { load, samples, schedule, check, cpu = {}, resources, host, figures = {} } = facts;
  const { startedAt, durationUs, sent, generators } = load;
  const { decisions, exposureBytes, ...ownSummaries } = figures;
  const counts = countSamples(samples, check?.wrong ?? 0);
  const { rttByClass, ...ofSamples } = summariseSamples(samples);
  const summaries: SampleSummaries = {
    ...ofSamples,
    ...(facts.withoutRtt ? { rtt: summarise([]) } : rttByClass && { rttByClass }),
    ...ownSummaries,
  };
  const { completed, refused, error } = counts.outcomes;
  const achievedRps = facts.achievedRps ?? (sent === 0 ? 0 : (sent * 1e6) / durationUs);
  return {
    factors: facts.factors,
    repetition: facts.repetition,
    source: facts.source,
    startedAt: startedAt.toISOString(),
    offeredRps: schedule?.rateRps ?? achievedRps,
    achievedRps,
    ...summaries,
    ...counts,
    ...(decisions && { decisions }),
    ...(exposureBytes && { exposureBytes }),
    cpuUsPerRequest: cpuPerRequest(cpu, facts.answered ?? completed + refused + error),
    resources: {
      ...resources,
      ...(generators.length > 0 && { generator: generatorResources(generators) }),
      ...hostResources(host),
    },
    ...generatorFigures(load),
    ...facts.study,
    validity: judged(facts, counts, summaries),
  };
}

function judged(
  facts: Repetition,
  counts: SampleCounts,
  { rtt, responseTime, schedulerLag }: SampleSummaries,
): Validity {
  const { load, samples, schedule, check, deaths = [], failure, findings = {} } = facts;
  if (failure) {
    return withReasons({ flags: [] }, [{ kind: 'not-measured', message: firstLine(failure), code: failure.code }]);
  }
  const { overload, onlyLate, ...verdict } = validityOf({
    ...(schedule && {
      schedule: scheduleAdherence(samples, load.durationUs),
      schedulerLag: {
        ...schedulerLag,
        smallestDifference: schedule.smallestDifference,
        // The lags of the others are known when the whole round is judged.
        ...((facts.study?.turns?.levels ?? 1) > 1 && { inTurns: { rateRps: schedule.rateRps, others: [] } }),
      },
      ...(load.granted && { realTimePriority: load.granted.realTimePriority }),
    }),
    ...(load.inFlight && { inFlight: load.inFlight }),
    medianRttUs: (facts.withoutRtt ? responseTime : rtt).medianUs,
    generatorUtilizations: facts.mayBeGeneratorBound
      ? []
      : load.generators.map(({ eventLoopUtilization }) => eventLoopUtilization),
    wrongDecisions: check?.wrong ?? 0,
    errors: facts.unplannedErrors ?? countErrors(samples),
    requests: samples.length,
    maxErrorShare: facts.maxErrorShare,
    deadRoles: deaths.map(firstLine),
    userServiceDied: deaths.some(isOfUserService),
    ...(facts.host && { host: facts.host }),
    ...(facts.warm !== undefined && { warm: facts.warm }),
    unfinished: counts.unfinished,
    throttledPeriods: Object.values(facts.resources ?? {}).reduce((sum, use) => sum + (use.throttledPeriods ?? 0), 0),
    starts: load.generatorRecords ?? [],
    startErrorUs: load.startErrorUs ?? 0,
    otherHosts: (load.generatorHosts ?? []).map(({ use }) => use),
  });
  const examples = check?.examples ?? [];
  const further = [
    ...(examples.length > 0 ? [{ kind: 'wrong' as const, examples: [...examples] }] : []),
    ...(findings.reasons ?? []).map(ofStudy),
    ...(overload ? [] : (findings.aftermath ?? [])).map(ofStudy),
  ];
  const judgement = {
    ...verdict,
    flags: [...verdict.flags, ...(findings.flags ?? [])],
    // A fault is not remeasured.
    ...(onlyLate && further.length === 0 && { onlyLate }),
    ...(overload && further.length === 0 && { overload }),
  };
  return withReasons(judgement, [...reasonsOf(verdict), ...further]);
}

function ofStudy(text: string): ValidityReason {
  return { kind: 'study', text };
}

/** Both sides of a gate report such a death as a verdict on their side. */
function isOfUserService({ code, cause }: TopoBenchError): boolean {
  return code === 'TB_USER_SERVICE' || (cause instanceof TopoBenchError && isOfUserService(cause));
}

function firstLine({ message }: TopoBenchError): string {
  return message.split('\n')[0] as string;
}

export type DeploymentCost = Pick<DeploymentHistory, 'readyMs' | 'stopMs' | 'memoryBytes' | 'networkPolicies'>;

/** Adds the cost, which is known later than the entry. An entry without a deployment stays as it is. */
export function withDeploymentCost<Entry extends Pick<Cell, 'deployment'>>(entry: Entry, cost: DeploymentCost): Entry {
  return entry.deployment ? { ...entry, deployment: { ...entry.deployment, ...cost } } : entry;
}

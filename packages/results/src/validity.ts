/**
 * Judges the validity of a repetition from measured facts, with reasons. Sent requests are compared with the drawn
 * schedule, not with the nominal rate: a Poisson sample deviates from it.
 */
import type { GeneratorRecord } from '@topo-bench/core';
import type { Cell, Validity, ValidityReason } from '@topo-bench/core/schema/result';
import type { HostUse } from '@topo-bench/host';
import { type InTurns, isLate, type Lag, withLag } from './lag-limit.ts';
import { withReasons } from './reasons.ts';
import type { ScheduleAdherence } from './schedule-adherence.ts';

/** Measured facts about a repetition. Absent facts are unknown and have no influence. */
export interface RepetitionMeasurement {
  /** Absent in the closed model, which has no schedule. */
  schedule?: ScheduleAdherence;
  /**
   * Absent in the closed model. `smallestDifference`: smallest one that matters, as a share of the median. `inTurns`:
   * other cells were measured in turns with this one.
   */
  schedulerLag?: Lag & { smallestDifference: number; inTurns?: InTurns };
  /**
   * Median of completed requests; +∞ when more than half never finished, NaN without any. Stores: median response time.
   */
  medianRttUs: number;
  /** Event loop utilisation of each generator process, 0…1. */
  generatorUtilizations: readonly number[];
  /** Whether the generator had priority over the measured processes. */
  realTimePriority?: boolean;
  inFlight?: { cap: number; refused: number };
  wrongDecisions: number;
  /** By kind. */
  errors: Readonly<Record<string, number>>;
  requests: number;
  /** Errors above this share of the requests make the repetition invalid, 0…1. */
  maxErrorShare: number;
  /** Names of roles whose process ended during the repetition. */
  deadRoles: readonly string[];
  /** Whether one of them is a service of the user that ended by itself. */
  userServiceDied?: boolean;
  host?: HostUse;
  /** False when the warm-up reached its time limit before throughput settled. */
  warm?: boolean;
  unfinished: number;
  /** Periods in which a limit on CPU time stopped a role, over all roles. Default: 0. */
  throttledPeriods?: number;
  /** Generators that share the start instant. */
  starts?: readonly Pick<GeneratorRecord, 'name' | 'startLateUs'>[];
  /** Bound on the error of the alignment of their clocks. */
  startErrorUs?: number;
  /** Hosts of generators other than `host`. */
  otherHosts?: readonly HostUse[];
}

export const limits = {
  /** Max difference of sent and scheduled requests in a second, as a share of the scheduled ones; one is allowed. */
  secondDifference: 0.01,
  generatorUtilization: 0.9,
  /** A generator may begin so much after the common start instant, on top of the error of its clock. */
  startLateUs: 1000,
  hostIdlePercent: 5,
  /** Share of the cores that may be used. Below it lies the usual background load of a desktop. */
  hostForeignPercent: 10,
  /** From this share on, stalls by the hypervisor may affect more than 1% of the requests, and determine p99. */
  hostStolenFlagPercent: 1,
  /** Smallest difference that matters, for a load without an experiment. */
  smallestDifference: 0.05,
} as const;

/** Judges the lag by the repetition's own median. For compared cells, `withLag` later uses their common median. */
export function validityOf(facts: RepetitionMeasurement): Validity {
  const { schedulerLag: lag, medianRttUs: medianUs, realTimePriority, host } = facts;
  const verdict = verdictWithoutLag(facts);
  if (!lag) return verdict;
  const { smallestDifference, inTurns } = lag;
  const stolenPercent = host?.stolenPercent;
  return withLag(verdict, { lag, medianUs, smallestDifference, inTurns, realTimePriority, stolenPercent });
}

/**
 * Whether only a disturbance affected the repetition: late requests or foreign load. Such repetitions may be
 * remeasured.
 */
export function isDisturbed({ valid, onlyLate, flags }: Validity): boolean {
  return onlyLate === true || (valid && flags.includes('foreign-load'));
}

/** Whether the system did not bear the load, and that is all. A late generator is no fault of the system. */
export function isOverload({
  validity: { overload, lagLimit },
  schedulerLag,
}: Pick<Cell, 'validity' | 'schedulerLag'>): boolean {
  return overload === true && !(lagLimit && isLate(schedulerLag, lagLimit));
}

function verdictWithoutLag(facts: RepetitionMeasurement): Validity {
  const late = [...startReasons(facts), ...secondReasons(facts)];
  const others = [
    ...emptyReasons(facts),
    ...numberReasons(facts),
    ...utilizationReasons(facts),
    ...capReasons(facts),
    ...decisionReasons(facts),
    ...errorReasons(facts),
    ...deathReasons(facts),
  ];
  const reasons = [...late, ...others];
  const overload = isOverloaded(facts);
  const flags = flagsOf(facts);
  // As in `withLag`: a new measurement would be late too.
  const mayWait = !facts.realTimePriority && flags.includes('host-saturated');
  const onlyLate = late.length > 0 && others.length === 0 && !mayWait;
  return withReasons({ flags, ...(onlyLate && { onlyLate }), ...(overload && { overload }) }, reasons);
}

/** Without regard to the scheduler lag. */
function isOverloaded(facts: RepetitionMeasurement): boolean {
  const notBorne = [...capReasons(facts), ...errorReasons(facts)];
  const unsent = [...secondReasons(facts), ...numberReasons(facts)];
  const otherCauses = [
    ...startReasons(facts),
    ...utilizationReasons(facts),
    ...decisionReasons(facts),
    ...deathReasons(facts),
  ];
  return notBorne.length > 0 && otherCauses.length === 0 && (unsent.length === 0 || isUnsentForCap(facts));
}

/** Whether the in-flight cap explains all missing requests: none were sent in a later second instead. */
function isUnsentForCap({ schedule, inFlight }: RepetitionMeasurement): boolean {
  if (!schedule || !inFlight) return false;
  const missing = schedule.perSecond.reduce((sum, { scheduled, sent }) => sum + Math.max(0, scheduled - sent), 0);
  const tolerated = limits.secondDifference * schedule.scheduled;
  return schedule.scheduled - schedule.sent <= inFlight.refused && missing <= inFlight.refused + tolerated;
}

/** Nothing can be said about a load without any request, which a low rate and a short duration have. */
function* emptyReasons({ requests }: RepetitionMeasurement): Generator<ValidityReason> {
  if (requests === 0) yield { kind: 'empty' };
}

function* numberReasons({ schedule }: RepetitionMeasurement): Generator<ValidityReason> {
  if (schedule && schedule.sent !== schedule.scheduled) {
    yield { kind: 'unsent', sent: schedule.sent, scheduled: schedule.scheduled };
  }
}

/** The schedule of a late generator begins late, which moves it against those of the others. */
function* startReasons({ starts = [], startErrorUs = 0 }: RepetitionMeasurement): Generator<ValidityReason> {
  const limitUs = limits.startLateUs + startErrorUs;
  for (const { name, startLateUs } of starts) {
    if (startLateUs > limitUs) yield { kind: 'late-generator', generator: name, lateUs: startLateUs, limitUs };
  }
}

/** Whether every second had its requests. */
export function keepsSchedule({ perSecond }: ScheduleAdherence): boolean {
  return perSecond.every(isOnTime);
}

function isOnTime({ scheduled, sent }: ScheduleAdherence['perSecond'][number]): boolean {
  return Math.abs(sent - scheduled) <= Math.max(1, limits.secondDifference * scheduled);
}

/** All requests may have been sent, but in the wrong second. */
function* secondReasons({ schedule }: RepetitionMeasurement): Generator<ValidityReason> {
  for (const [second, count] of schedule?.perSecond.entries() ?? []) {
    if (isOnTime(count)) continue;
    const { scheduled, sent } = count;
    yield { kind: 'late-second', second: second + 1, sent, scheduled };
    return;
  }
}

function* utilizationReasons({ generatorUtilizations }: RepetitionMeasurement): Generator<ValidityReason> {
  const busiest = Math.max(0, ...generatorUtilizations);
  if (busiest > limits.generatorUtilization) yield { kind: 'generator-bound', busyShare: busiest };
}

function* capReasons({ inFlight }: RepetitionMeasurement): Generator<ValidityReason> {
  if (inFlight && inFlight.refused > 0) {
    yield { kind: 'in-flight-cap', cap: inFlight.cap, refused: inFlight.refused };
  }
}

function* decisionReasons({ wrongDecisions }: RepetitionMeasurement): Generator<ValidityReason> {
  if (wrongDecisions > 0) yield { kind: 'wrong-decisions', count: wrongDecisions };
}

function* errorReasons({ errors, requests, maxErrorShare }: RepetitionMeasurement): Generator<ValidityReason> {
  const count = Object.values(errors).reduce((sum, each) => sum + each, 0);
  if (count > maxErrorShare * requests) {
    yield { kind: 'errors', errors: count, requests, maxShare: maxErrorShare, kinds: { ...errors } };
  }
}

function* deathReasons({ deadRoles, userServiceDied }: RepetitionMeasurement): Generator<ValidityReason> {
  if (deadRoles.length === 0) return;
  yield { kind: 'died', roles: [...deadRoles], ...(userServiceDied && { userService: true as const }) };
}

function flagsOf(facts: RepetitionMeasurement): string[] {
  const { host, otherHosts = [], warm, unfinished, throttledPeriods = 0 } = facts;
  const flags: string[] = [...new Set([...(host ? [host] : []), ...otherHosts].flatMap(hostFlags))];
  if (throttledPeriods > 0) flags.push('cpu-throttled');
  if (warm === false) flags.push('cold');
  if (unfinished > 0) flags.push('unfinished');
  return flags;
}

/**
 * Classifies the use of the processors: by the measurement itself, other programs, or other guests of the hypervisor.
 */
function hostFlags({ idlePercent, stolenPercent = 0, foreignPercent = 0 }: HostUse): string[] {
  const ownPercent = 100 - idlePercent - stolenPercent - foreignPercent;
  const isFull = idlePercent < limits.hostIdlePercent;
  return [
    ...(isFull && ownPercent >= foreignPercent + stolenPercent ? ['host-saturated'] : []),
    ...(foreignPercent >= limits.hostForeignPercent ? ['foreign-load'] : []),
    ...(stolenPercent >= limits.hostStolenFlagPercent ? ['stolen'] : []),
  ];
}

/**
 * Judges the validity of a repetition from measured facts, with reasons. Sent requests are compared with the drawn
 * schedule, not with the nominal rate: a Poisson sample deviates from it.
 */
import type { Validity } from '@topo-bench/core/schema/result';
import type { HostUse } from '@topo-bench/host';
import { type Lag, withLag } from './lag-limit.ts';
import type { ScheduleAdherence } from './schedule-adherence.ts';

/** Measured facts about a repetition. Absent facts are unknown and have no influence. */
export interface RepetitionMeasurement {
  /** Absent in the closed model, which has no schedule. */
  schedule?: ScheduleAdherence;
  /** Absent in the closed model. `smallestDifference`: smallest one that matters, as a share of the median. */
  schedulerLag?: Lag & { smallestDifference: number };
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
  errors: number;
  requests: number;
  /** Errors above this share of the requests make the repetition invalid, 0…1. */
  maxErrorShare: number;
  /** Names of roles whose process ended during the repetition. */
  deadRoles: readonly string[];
  host?: HostUse;
  /** False when the warm-up reached its time limit before throughput settled. */
  warm?: boolean;
  unfinished: number;
}

export const limits = {
  /** Max difference of sent and scheduled requests in a second, as a share of the scheduled ones. */
  secondDifference: 0.01,
  generatorUtilization: 0.9,
  hostIdlePercent: 5,
  /** Share of all cores. Below it lies the usual background load of a desktop. */
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
  const { smallestDifference } = lag;
  return withLag(verdict, { lag, medianUs, smallestDifference, realTimePriority, stolenPercent: host?.stolenPercent });
}

/**
 * Whether only a disturbance affected the repetition: late requests or foreign load. Such repetitions may be
 * remeasured.
 */
export function isDisturbed({ valid, onlyLate, flags }: Validity): boolean {
  return onlyLate === true || (valid && flags.includes('foreign-load'));
}

function verdictWithoutLag(facts: RepetitionMeasurement): Validity {
  const late = [...secondReasons(facts)];
  const others = [...numberReasons(facts), ...generatorReasons(facts), ...systemReasons(facts)];
  const reasons = [...late, ...others];
  const flags = flagsOf(facts);
  // As in `withLag`: a new measurement would be late too.
  const mayWait = !facts.realTimePriority && flags.includes('host-saturated');
  const onlyLate = late.length > 0 && others.length === 0 && !mayWait;
  return { valid: reasons.length === 0, reasons, flags, ...(onlyLate && { onlyLate }) };
}

function* numberReasons({ schedule }: RepetitionMeasurement): Generator<string> {
  if (schedule && schedule.sent !== schedule.scheduled) {
    yield `sent ${schedule.sent} of ${schedule.scheduled} scheduled requests`;
  }
}

/** All requests may have been sent, but in the wrong second. */
function* secondReasons({ schedule }: RepetitionMeasurement): Generator<string> {
  for (const [second, { scheduled, sent }] of schedule?.perSecond.entries() ?? []) {
    if (Math.abs(sent - scheduled) <= limits.secondDifference * scheduled) continue;
    yield `second ${second + 1}: sent ${sent}, scheduled ${scheduled}`;
    return;
  }
}

function* generatorReasons({ generatorUtilizations, inFlight }: RepetitionMeasurement): Generator<string> {
  const busiest = Math.max(0, ...generatorUtilizations);
  if (busiest > limits.generatorUtilization)
    yield `load generator CPU-bound: its event loop was busy ${percent(busiest)} of the time`;
  if (inFlight && inFlight.refused > 0) {
    yield `in-flight cap of ${inFlight.cap} open requests reached: ${inFlight.refused} requests were not sent`;
  }
}

function* systemReasons({
  wrongDecisions,
  errors,
  requests,
  maxErrorShare,
  deadRoles,
}: RepetitionMeasurement): Generator<string> {
  if (wrongDecisions > 0) yield `${wrongDecisions} wrong decision${wrongDecisions === 1 ? '' : 's'}`;
  if (errors > maxErrorShare * requests) {
    yield `${errors} errors in ${requests} requests (${percent(errors / requests)}), at most ${percent(maxErrorShare)} allowed`;
  }
  if (deadRoles.length > 0) yield `died during the repetition: ${deadRoles.join(', ')}`;
}

function flagsOf({ host, warm, unfinished }: RepetitionMeasurement): string[] {
  const flags: string[] = [];
  if (host) flags.push(...hostFlags(host));
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

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(3))}%`;
}

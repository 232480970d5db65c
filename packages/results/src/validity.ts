/**
 * Whether a repetition may be compared: decided from measured facts alone, always with reasons. The nominal rate is never compared
 * with a Poisson sample; what counts is whether the schedule that was drawn was kept.
 */
import type { Validity } from '@topo-bench/core/schema/result';
import type { HostUse } from '@topo-bench/host';
import { type Lag, withLag } from './lag-limit.ts';
import type { ScheduleAdherence } from './schedule-adherence.ts';

/** What was measured. A fact that the system or the driver cannot tell is absent and decides nothing. */
export interface MeasuredFacts {
  /** How the schedule was kept; absent in the closed model, which has none. */
  schedule?: ScheduleAdherence;
  /** Absent in the closed model too. `smallestDifference`: that matters, as a share of the median. */
  schedulerLag?: Lag & { smallestDifference: number };
  /** Of the completed requests; +∞ when most never finished, NaN when there are none. Of a store: median response time. */
  medianRttUs: number;
  /** Event loop utilisation of each generator process, 0…1. */
  generatorUtilizations: readonly number[];
  /** Whether the generator went before everything that it measured. */
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
  /** False: the warm-up reached its bound before throughput settled. */
  warm?: boolean;
  unfinished: number;
}

export const limits = {
  /** Share of a second's requests by which sent and scheduled may differ. */
  secondDifference: 0.01,
  generatorUtilization: 0.9,
  hostIdlePercent: 5,
  /** Share of all cores: below that, the ordinary background of a desktop. */
  hostForeignPercent: 10,
  /** From here on more than one request in a hundred may have met a stall of the hypervisor's making: p99 is its doing. */
  hostStolenFlagPercent: 1,
  /** Smallest difference that matters, of a load without an experiment. */
  smallestDifference: 0.05,
} as const;

/** The lag is judged by the repetition's own median: where cells are compared, `withLag` judges it again by theirs. */
export function validityOf(facts: MeasuredFacts): Validity {
  const { schedulerLag: lag, medianRttUs: medianUs, realTimePriority, host } = facts;
  const verdict = verdictApartFromLag(facts);
  if (!lag) return verdict;
  const { smallestDifference } = lag;
  return withLag(verdict, { lag, medianUs, smallestDifference, realTimePriority, stolenPercent: host?.stolenPercent });
}

function verdictApartFromLag(facts: MeasuredFacts): Validity {
  const late = [...secondReasons(facts)];
  const others = [...numberReasons(facts), ...generatorReasons(facts), ...systemReasons(facts)];
  const reasons = [...late, ...others];
  const flags = flagsOf(facts);
  // As in `withLag`: it would be late again.
  const mayWait = !facts.realTimePriority && flags.includes('host-saturated');
  const onlyLate = late.length > 0 && others.length === 0 && !mayWait;
  return { valid: reasons.length === 0, reasons, flags, ...(onlyLate && { onlyLate }) };
}

function* numberReasons({ schedule }: MeasuredFacts): Generator<string> {
  if (schedule && schedule.sent !== schedule.scheduled) {
    yield `sent ${schedule.sent} of ${schedule.scheduled} scheduled requests`;
  }
}

/** Every request may have been sent, but not when it should have been. */
function* secondReasons({ schedule }: MeasuredFacts): Generator<string> {
  for (const [second, { scheduled, sent }] of schedule?.perSecond.entries() ?? []) {
    if (Math.abs(sent - scheduled) <= limits.secondDifference * scheduled) continue;
    yield `second ${second + 1}: sent ${sent}, scheduled ${scheduled}`;
    return;
  }
}

function* generatorReasons({ generatorUtilizations, inFlight }: MeasuredFacts): Generator<string> {
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
}: MeasuredFacts): Generator<string> {
  if (wrongDecisions > 0) yield `${wrongDecisions} wrong decision${wrongDecisions === 1 ? '' : 's'}`;
  if (errors > maxErrorShare * requests) {
    yield `${errors} errors in ${requests} requests (${percent(errors / requests)}), at most ${percent(maxErrorShare)} allowed`;
  }
  if (deadRoles.length > 0) yield `died during the repetition: ${deadRoles.join(', ')}`;
}

function flagsOf({ host, warm, unfinished }: MeasuredFacts): string[] {
  const flags: string[] = [];
  if (host) flags.push(...hostFlags(host));
  if (warm === false) flags.push('cold');
  if (unfinished > 0) flags.push('unfinished');
  return flags;
}

/** Who had the processors: the measurement itself, other programs, or other machines of the hypervisor. */
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

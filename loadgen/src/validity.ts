/**
 * Whether a repetition may be compared: decided from measured facts alone, always with reasons. The nominal rate is never compared
 * with a Poisson sample; what counts is whether the schedule that was drawn was kept.
 */
import { formatUs } from '@topo-bench/core';
import type { Validity } from '@topo-bench/core/schema/result';
import type { HostUse } from '@topo-bench/host';

/** What was measured. A fact that the system or the driver cannot tell is absent and decides nothing. */
export interface MeasuredFacts {
  /** How the schedule was kept; absent in the closed model, which has none. */
  schedule?: { scheduled: number; sent: number; perSecond: readonly { scheduled: number; sent: number }[] };
  schedulerLagP99Us?: number;
  /** Of the completed requests; +∞ when most never finished, NaN when there are none. */
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
  lagUs: 1000,
  lagShareOfMedianRtt: 0.1,
  generatorUtilization: 0.9,
  hostIdlePercent: 5,
  /** Share of all cores: below that, the ordinary background of a desktop. */
  hostForeignPercent: 10,
  /** From here on more than one request in a hundred may have met a stall of the hypervisor's making: p99 is its doing. */
  hostStolenFlagPercent: 1,
  /** From here on a late generator may be the hypervisor's doing, and the reason says so. */
  hostStolenPercent: 0.1,
} as const;

export function validityOf(facts: MeasuredFacts): Validity {
  const late = [...latenessReasons(facts)];
  const others = [...numberReasons(facts), ...generatorReasons(facts), ...systemReasons(facts)];
  const reasons = [...late, ...others];
  const flags = flagsOf(facts);
  // A generator that waits in line on a host without time to spare is late because of what is measured, and would be again.
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
function* latenessReasons({ schedule, schedulerLagP99Us, medianRttUs, host }: MeasuredFacts): Generator<string> {
  for (const [second, { scheduled, sent }] of schedule?.perSecond.entries() ?? []) {
    if (Math.abs(sent - scheduled) > limits.secondDifference * scheduled) {
      yield `second ${second + 1}: sent ${sent}, scheduled ${scheduled}`;
      break;
    }
  }
  // Without a median (nothing completed) only the absolute limit is left.
  const tolerableUs = Math.max(limits.lagUs, limits.lagShareOfMedianRtt * (Number.isNaN(medianRttUs) ? 0 : medianRttUs));
  if (schedulerLagP99Us !== undefined && schedulerLagP99Us > tolerableUs) {
    yield `scheduler lag p99 ${formatUs(schedulerLagP99Us)} is above 1 ms and above 10% of the median RTT ${formatUs(medianRttUs)}${stolenMeanwhile(host)}`;
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

function* systemReasons({ wrongDecisions, errors, requests, maxErrorShare, deadRoles }: MeasuredFacts): Generator<string> {
  if (wrongDecisions > 0) yield `${wrongDecisions} wrong decision${wrongDecisions === 1 ? '' : 's'}`;
  if (errors > maxErrorShare * requests) {
    yield `${errors} errors in ${requests} requests (${percent(errors / requests)}), at most ${percent(maxErrorShare)} allowed`;
  }
  if (deadRoles.length > 0) yield `died during the repetition: ${deadRoles.join(', ')}`;
}

function stolenMeanwhile(host: HostUse | undefined): string {
  const share = host?.stolenPercent ?? 0;
  return share < limits.hostStolenPercent
    ? ''
    : `; meanwhile the hypervisor gave ${percent(share / 100)} of this machine's time to others`;
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

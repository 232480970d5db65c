/**
 * Limit of the scheduler lag: how late requests may leave before a repetition is invalid. It follows from a median and
 * from the smallest difference that matters. Cells that are compared share the smallest of their medians, and so one
 * limit.
 */
import { formatUs } from '@topo-bench/core';
import type { LagLimit, Summary, Validity } from '@topo-bench/core/schema/result';

/** Scheduler lag of a repetition. */
export type Lag = Pick<Summary, 'p99Us' | 'meanUs'>;

export interface LagMeasurement {
  lag: Lag;
  /** Min median of the compared cells. NaN when nothing completed: only the absolute limit applies then. */
  medianUs: number;
  /** Smallest difference that matters, as a share of the median. */
  smallestDifference: number;
  /** Whether the compared cells were measured in turns, under one schedule: lateness then meets all of them. */
  inTurns: boolean;
  /** Whether the generator had priority over the measured processes. */
  realTimePriority: boolean | undefined;
  /** Share of the host's processor time, in %. */
  stolenPercent: number | undefined;
}

const lagLimits = {
  /** A 99th percentile up to this limit is never late. */
  p99Us: 1000,
  p99ShareOfMedian: 0.1,
  /** A mean lag up to the smallest difference divided by this number is negligible. */
  partsOfSmallestDifference: 10,
  /** The same for cells in turns: only the difference of their lags could look like a difference of the cells. */
  partsInTurns: 2,
  /** From this share on, the reason names the hypervisor as a possible cause. */
  stolenPercent: 0.1,
} as const;

/** Adds the verdict on the lag to the other verdicts. Its reason comes first, where `withoutLag` removes it. */
export function withLag(verdict: Validity, facts: LagMeasurement): Validity {
  const lagLimit = limitOf(facts);
  if (!isLate(facts.lag, lagLimit)) return { ...verdict, lagLimit };
  // Without priority on a saturated host, the measured processes delay the generator. A new measurement would be late
  // too.
  const mayWait = !facts.realTimePriority && verdict.flags.includes('host-saturated');
  const onlyLate = verdict.onlyLate || (verdict.valid && !mayWait);
  return {
    ...verdict,
    valid: false,
    reasons: [reasonOf(facts), ...verdict.reasons],
    ...(onlyLate && { onlyLate }),
    lagLimit,
  };
}

/** Undoes `withLag`. */
export function withoutLag({ lagLimit, ...verdict }: Validity, lag: Lag): Validity {
  if (!lagLimit || !isLate(lag, lagLimit)) return verdict;
  const { onlyLate, ...others } = verdict;
  const reasons = verdict.reasons.slice(1);
  const valid = reasons.length === 0;
  return { ...others, valid, reasons, ...(!valid && onlyLate && { onlyLate }) };
}

export function limitOf({
  medianUs,
  smallestDifference,
  inTurns,
}: Pick<LagMeasurement, 'medianUs' | 'smallestDifference' | 'inTurns'>): LagLimit {
  const parts = inTurns ? lagLimits.partsInTurns : lagLimits.partsOfSmallestDifference;
  const known = Number.isNaN(medianUs) ? 0 : medianUs;
  return {
    p99Us: Math.max(lagLimits.p99Us, lagLimits.p99ShareOfMedian * known),
    meanUs: (smallestDifference * known) / parts,
  };
}

/** Some requests left very late, and the mean lag is large enough to change figures. */
export function isLate({ p99Us, meanUs }: Lag, limit: LagLimit): boolean {
  return p99Us > limit.p99Us && meanUs > limit.meanUs;
}

function reasonOf({ lag, medianUs, stolenPercent = 0 }: LagMeasurement): string {
  const late = `scheduler lag p99 ${formatUs(lag.p99Us)} is above 1 ms and above 10% of the smallest compared median ${formatUs(medianUs)}`;
  if (stolenPercent < lagLimits.stolenPercent) return late;
  const stolen = `${Number(stolenPercent.toPrecision(3))}%`;
  return `${late}; meanwhile the hypervisor gave ${stolen} of this machine's time to others`;
}

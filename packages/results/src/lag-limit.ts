/**
 * How late requests may leave before a repetition is invalid. The limit follows from a median and from the smallest difference that matters.
 * Where cells are compared, the median is the smallest of theirs: slow cells and fast ones are then judged alike.
 */
import { formatUs } from '@topo-bench/core';
import type { LagLimit, Summary, Validity } from '@topo-bench/core/schema/result';

/** Scheduler lag of a repetition. */
export type Lag = Pick<Summary, 'p99Us' | 'meanUs'>;

export interface LagFacts {
  lag: Lag;
  /** Smallest median of what is compared; NaN when nothing completed, and then only the absolute limit is left. */
  medianUs: number;
  /** That matters, as a share of the median. */
  smallestDifference: number;
  /** Whether the generator ran before everything that it measured. */
  realTimePriority: boolean | undefined;
  /** Of the host's processor time. */
  stolenPercent: number | undefined;
}

const lagLimits = {
  /** A 99th percentile up to here is never too late. */
  p99Us: 1000,
  p99ShareOfMedian: 0.1,
  /** A mean lag up to the smallest difference, divided by this, changes no conclusion. */
  partsOfSmallestDifference: 10,
  /** From here on a late generator may be the hypervisor's doing, and the reason says so. */
  stolenPercent: 0.1,
} as const;

/** Adds the verdict on the lag to that on everything else. Its reason comes first: `withoutLag` removes it there. */
export function withLag(verdict: Validity, facts: LagFacts): Validity {
  const lagLimit = limitOf(facts);
  if (!isLate(facts.lag, lagLimit)) return { ...verdict, lagLimit };
  // A generator that waits in line on a host without time to spare is late because of what is measured, and would be again.
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

function limitOf({ medianUs, smallestDifference }: LagFacts): LagLimit {
  const known = Number.isNaN(medianUs) ? 0 : medianUs;
  return {
    p99Us: Math.max(lagLimits.p99Us, lagLimits.p99ShareOfMedian * known),
    meanUs: (smallestDifference * known) / lagLimits.partsOfSmallestDifference,
  };
}

/** Some requests left very late, and the lag of all is enough to move the figures. */
function isLate({ p99Us, meanUs }: Lag, limit: LagLimit): boolean {
  return p99Us > limit.p99Us && meanUs > limit.meanUs;
}

function reasonOf({ lag, medianUs, stolenPercent = 0 }: LagFacts): string {
  const late = `scheduler lag p99 ${formatUs(lag.p99Us)} is above 1 ms and above 10% of the smallest compared median ${formatUs(medianUs)}`;
  if (stolenPercent < lagLimits.stolenPercent) return late;
  const stolen = `${Number(stolenPercent.toPrecision(3))}%`;
  return `${late}; meanwhile the hypervisor gave ${stolen} of this machine's time to others`;
}

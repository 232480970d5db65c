/**
 * Limit of the scheduler lag: how late requests may leave before a repetition is invalid. It follows from a median and
 * from the smallest difference that matters. Cells that are compared share the smallest of their medians, and so one
 * limit.
 */
import type { LagLimit, Summary, Validity } from '@topo-bench/core/schema/result';
import { isLateReason, reasonsOf, withReasons } from './reasons.ts';

/** Scheduler lag of a repetition. */
export interface Lag extends Pick<Summary, 'p99Us' | 'meanUs'> {
  /** Standard error of the mean, of cells in turns. Absent when unknown: no difference is shown then. */
  meanErrorUs?: number | undefined;
}

/** Cells in turns: the rate of each, in req/s, and the lags of the other cells under the same schedule. */
export interface InTurns {
  rateRps: number;
  others: readonly Lag[];
}

export interface LagMeasurement {
  lag: Lag;
  /** Min median of the compared cells. NaN when nothing completed: only the absolute limit applies then. */
  medianUs: number;
  /** Smallest difference that matters, as a share of the median. */
  smallestDifference: number;
  /** Absent for cells that were measured alone. Lateness meets all cells that take turns, under one schedule. */
  inTurns?: InTurns | undefined;
  /** Whether the generator had priority over the measured processes. */
  realTimePriority: boolean | undefined;
  /** Share of the host's processor time, in %. */
  stolenPercent: number | undefined;
}

/** The flag of a valid repetition in turns that would be late if it had been measured alone. */
const lateFlag = 'late';

const lagLimits = {
  /** A 99th percentile up to this limit is never late. */
  p99Us: 1000,
  p99ShareOfMedian: 0.1,
  /** A mean lag up to the smallest difference divided by this number is negligible. */
  partsOfSmallestDifference: 10,
  /** The same for the difference of the mean lags of cells in turns: nothing else could look like one of the cells. */
  partsInTurns: 2,
  /** Standard errors from which on a difference of mean lags is none of chance. */
  standardErrors: 3,
  /** Cells in turns may be late by this share of the mean time between two requests. More makes bursts of requests. */
  shareOfInterval: 0.25,
} as const;

/** Adds the verdict on the lag to the other verdicts. */
export function withLag(verdict: Validity, facts: LagMeasurement): Validity {
  const lagLimit = limitOf(facts);
  if (!isLate(facts.lag, lagLimit)) {
    const flags = facts.inTurns && isLate(facts.lag, limitOf({ ...facts, inTurns: undefined })) ? [lateFlag] : [];
    return { ...verdict, flags: [...verdict.flags, ...flags], lagLimit };
  }
  // Without priority on a saturated host, the measured processes delay the generator. A new measurement would be late
  // too.
  const mayWait = !facts.realTimePriority && verdict.flags.includes('host-saturated');
  const onlyLate = verdict.onlyLate || (verdict.valid && !mayWait);
  const { lag, medianUs, stolenPercent } = facts;
  const late = {
    kind: 'late' as const,
    p99Us: lag.p99Us,
    medianUs,
    ...(stolenPercent !== undefined && { stolenPercent }),
    ...(facts.inTurns && unfairness(lag, lagLimit)),
  };
  return withReasons({ ...verdict, ...(onlyLate && { onlyLate }), lagLimit }, [late, ...reasonsOf(verdict)]);
}

/** Undoes `withLag`. */
export function withoutLag({ lagLimit, ...verdict }: Validity, lag: Lag): Validity {
  if (!lagLimit) return verdict;
  if (!isLate(lag, lagLimit)) return { ...verdict, flags: verdict.flags.filter((flag) => flag !== lateFlag) };
  const { onlyLate, ...others } = verdict;
  const left = reasonsOf(verdict).filter((reason) => !isLateReason(reason));
  return withReasons({ ...others, ...(left.length > 0 && onlyLate && { onlyLate }) }, left);
}

export function limitOf({
  lag,
  medianUs,
  smallestDifference,
  inTurns,
}: Pick<LagMeasurement, 'lag' | 'medianUs' | 'smallestDifference' | 'inTurns'>): LagLimit {
  const known = Number.isNaN(medianUs) ? 0 : medianUs;
  const p99Us = Math.max(lagLimits.p99Us, lagLimits.p99ShareOfMedian * known);
  if (!inTurns) return { p99Us, meanUs: (smallestDifference * known) / lagLimits.partsOfSmallestDifference };
  const differenceUs = (smallestDifference * known) / lagLimits.partsInTurns;
  return {
    p99Us,
    meanUs: Math.max(differenceUs, (lagLimits.shareOfInterval * 1e6) / inTurns.rateRps),
    differenceUs,
    differsByUs: Math.max(0, ...inTurns.others.map((other) => shownDifferenceUs(lag, other))),
  };
}

/** The difference of two mean lags; 0 where it may be one of chance. */
function shownDifferenceUs(one: Lag, other: Lag): number {
  const differenceUs = Math.abs(one.meanUs - other.meanUs);
  const { meanErrorUs = Number.POSITIVE_INFINITY } = one;
  const { meanErrorUs: otherErrorUs = Number.POSITIVE_INFINITY } = other;
  return differenceUs > lagLimits.standardErrors * Math.hypot(meanErrorUs, otherErrorUs) ? differenceUs : 0;
}

/** Some requests left very late, and the mean lag, or its difference, is large enough to change figures. */
export function isLate({ p99Us, meanUs }: Lag, limit: LagLimit): boolean {
  const { differenceUs = Number.POSITIVE_INFINITY, differsByUs = 0 } = limit;
  return p99Us > limit.p99Us && (meanUs > limit.meanUs || differsByUs > differenceUs);
}

/** What makes lateness in turns unfair: bursts in place of the schedule, or arrivals of the cells that differ. */
function unfairness({ meanUs }: Lag, { meanUs: limitUs, differsByUs = 0 }: LagLimit): object {
  return meanUs > limitUs ? { meanUs } : { differsByUs };
}

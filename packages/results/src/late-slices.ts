/**
 * Slices of a joint load that are left out because requests left late in them. All sides lose the same slices, and with
 * them the same requests of the same schedule. The lags of all sides together decide, under one limit: exchanging the
 * sides leaves out the same slices, so a test on their differences keeps its error rate.
 */
import type { Sample } from '@topo-bench/core';
import { isLate, type Lag, limitOf } from './lag-limit.ts';
import { scheduleAdherence } from './schedule-adherence.ts';
import { summariseSamples } from './summarise-samples.ts';
import { keepsSchedule } from './validity.ts';

export interface SlicedLoad {
  /** Samples of each side; times are those of the joint load. */
  sides: readonly (readonly Sample[])[];
  /** From the start of a slice to the start of the next slice of the same side, in µs. */
  periodUs: number;
  /** Length of the joint load in µs. */
  durationUs: number;
  /** Smallest difference that matters, as a share of the median. */
  smallestDifference: number;
  /** Rate of each side, in req/s. */
  rateRps: number;
}

/** Max share of the slices that are left out; a load that lost more is late as a whole. */
const maxShare = 0.5;

/**
 * Leaves out the slice with the largest mean lag, again and again, until no side is late. Complexity: O(slices · n log
 * n).
 * @returns indexes of slices; none when no side is late, and when leaving out half of the slices does not suffice
 */
export function lateSlices(load: SlicedLoad): ReadonlySet<number> {
  const { periodUs, durationUs, sides } = load;
  const max = Math.floor(Math.ceil(durationUs / periodUs) * maxShare);
  const latest = slicesByLag(sides.flat(), periodUs).slice(0, max);
  const leftOut = new Set<number>();
  while (someIsLate(load, leftOut)) {
    const next = latest[leftOut.size];
    if (next === undefined) return new Set();
    leftOut.add(next);
  }
  return leftOut;
}

/** The samples of one side in the other slices. */
export function withoutSlices(samples: readonly Sample[], periodUs: number, leftOut: ReadonlySet<number>): Sample[] {
  return samples.filter(({ intendedUs }) => !leftOut.has(Math.floor(intendedUs / periodUs)));
}

function someIsLate(
  { sides, periodUs, durationUs, smallestDifference, rateRps }: SlicedLoad,
  leftOut: ReadonlySet<number>,
): boolean {
  const kept = sides.map((samples) => withoutSlices(samples, periodUs, leftOut));
  const summaries = kept.map(summariseSamples);
  const medians = summaries.map(({ rtt }) => rtt.medianUs).filter((medianUs) => !Number.isNaN(medianUs));
  const medianUs = Math.min(...medians);
  const lags = summaries.map(({ schedulerLag }, side): Lag => {
    return { ...schedulerLag, meanErrorUs: meanLagErrorUs(kept[side] as readonly Sample[], periodUs) };
  });
  return kept.some((samples, side) => {
    const lag = lags[side] as Lag;
    const others = lags.filter((_, other) => other !== side);
    const limit = limitOf({ lag, medianUs, smallestDifference, inTurns: { rateRps, others } });
    return isLate(lag, limit) || !keepsSchedule(scheduleAdherence(samples, durationUs));
  });
}

/**
 * Standard error of the mean lag of a side, in µs. Lags of one slice depend on each other, since a program that takes
 * the processor delays several requests; so the slices are the sample (ratio estimator of clusters). NaN with fewer
 * than two slices.
 */
export function meanLagErrorUs(samples: readonly Sample[], periodUs: number): number {
  const slices = [...lagsBySlice(samples, periodUs).values()];
  const sumUs = slices.reduce((sum, slice) => sum + slice.sumUs, 0);
  const count = slices.reduce((sum, slice) => sum + slice.count, 0);
  const meanUs = sumUs / count;
  const squares = slices.reduce((sum, slice) => sum + (slice.sumUs - slice.count * meanUs) ** 2, 0);
  const { length } = slices;
  return length < 2 ? Number.NaN : Math.sqrt((squares * length) / (length - 1)) / count;
}

/** Slices of all sides together, the largest mean lag first. */
function slicesByLag(samples: readonly Sample[], periodUs: number): number[] {
  const mean = ({ sumUs, count }: SliceLag): number => sumUs / count;
  return [...lagsBySlice(samples, periodUs)].sort(([, a], [, b]) => mean(b) - mean(a)).map(([slice]) => slice);
}

interface SliceLag {
  sumUs: number;
  count: number;
}

function lagsBySlice(samples: readonly Sample[], periodUs: number): Map<number, SliceLag> {
  const lags = new Map<number, SliceLag>();
  for (const { intendedUs, sentUs } of samples) {
    if (sentUs === null) continue;
    const slice = Math.floor(intendedUs / periodUs);
    const { sumUs, count } = lags.get(slice) ?? { sumUs: 0, count: 0 };
    lags.set(slice, { sumUs: sumUs + sentUs - intendedUs, count: count + 1 });
  }
  return lags;
}

/**
 * Compares two cells, each given by one figure per repetition: difference, certainty and verdict. All relative figures
 * are computed on logarithms, where twice as slow and twice as fast are equally far.
 */
import { requireBetween } from './input.ts';
import { cliffsDelta, mannWhitney } from './mann-whitney.ts';
import { type Estimate, pairedShift, shift } from './rank-interval.ts';
import { logarithms, pairDifferences } from './ratio.ts';
import { minimumDetectableEffect, repetitionsNeeded, smallestRejectingN } from './sample-size.ts';
import { pairedRankBiserial, signedRank } from './signed-rank.ts';

/**
 * `no difference seen`: the interval rules out every relevant difference. `cannot tell`: the interval contains both
 * zero and a relevant difference.
 */
export type ComparisonVerdict = 'faster' | 'slower' | 'no difference seen' | 'cannot tell';

export interface CompareOptions {
  /** 1 − confidence; default 0.05. */
  alpha?: number;
  /** Smallest relevant relative difference, e.g. 0.05; default 0.05. */
  effectThreshold?: number;
  /** The i-th values of both sides form a pair, as in alternating slices. */
  paired?: boolean;
}

export interface Comparison {
  /** Candidate − baseline (Hodges–Lehmann), in the unit of the samples; positive is slower. */
  difference: number;
  interval: [low: number, high: number];
  /** The same as a ratio: 100 · (candidate / baseline − 1). */
  differencePercent: number;
  intervalPercent: [low: number, high: number];
  /** Two-sided, of Mann–Whitney or, paired, signed-rank. */
  pValue: number;
  /** Cliff's delta or, paired, the rank-biserial correlation: −1 (always faster) … 1 (always slower). */
  effectSize: number;
  verdict: ComparisonVerdict;
  /** Smallest slow-down in % that this comparison would find with a power of 0.8; +∞ when it could find none. */
  minimumDetectable: number;
  /** Min repetitions per side with which a difference could be significant. */
  smallestN: number;
  /** Repetitions per side needed to detect `effectThreshold`. */
  neededN: number;
}

/**
 * Compares times (lower is better), one per repetition. +∞ is a figure that falls on an unfinished request.
 * @param baseline at least one value, each above 0
 * @param candidate at least one value, each above 0; as many as the baseline when paired
 * @throws TopoBenchError `TB_STATS_INPUT`
 */
export function compareSamples(
  baseline: ArrayLike<number>,
  candidate: ArrayLike<number>,
  { alpha = 0.05, effectThreshold = 0.05, paired = false }: CompareOptions = {},
): Comparison {
  requireBetween(effectThreshold, 0, Number.POSITIVE_INFINITY, 'effectThreshold');
  const methods = paired ? pairedMethods : unpairedMethods;
  const { estimate, pValue, effectSize } = methods;
  const absolute = estimate(baseline, candidate, alpha);
  const logs = [logarithms(baseline, 'compareSamples'), logarithms(candidate, 'compareSamples')] as const;
  const logarithmic = estimate(...logs, alpha);
  const detectable = minimumDetectableEffect(logarithmic.interval, alpha);
  const smallestN = smallestRejectingN(alpha, { paired });
  return {
    difference: absolute.estimate,
    interval: absolute.interval,
    differencePercent: toPercent(logarithmic.estimate),
    intervalPercent: [toPercent(logarithmic.interval[0]), toPercent(logarithmic.interval[1])],
    pValue: pValue(...logs),
    effectSize: effectSize(...logs),
    verdict: verdictOn(logarithmic.interval, Math.log1p(effectThreshold)),
    minimumDetectable: toPercent(detectable),
    smallestN,
    neededN: repetitionsNeeded(
      Math.min(baseline.length, candidate.length),
      detectable,
      Math.log1p(effectThreshold),
      smallestN,
    ),
  };
}

function verdictOn([low, high]: readonly [number, number], mattering: number): ComparisonVerdict {
  if (low > 0) return 'slower';
  if (high < 0) return 'faster';
  return low > -mattering && high < mattering ? 'no difference seen' : 'cannot tell';
}

/** exp(x) − 1 in %: −100 for −∞. */
function toPercent(logRatio: number): number {
  return 100 * Math.expm1(logRatio);
}

interface Methods {
  estimate: (baseline: ArrayLike<number>, candidate: ArrayLike<number>, alpha: number) => Estimate;
  pValue: (baseline: ArrayLike<number>, candidate: ArrayLike<number>) => number;
  effectSize: (baseline: ArrayLike<number>, candidate: ArrayLike<number>) => number;
}

const unpairedMethods: Methods = {
  estimate: shift,
  pValue: (baseline, candidate) => mannWhitney(baseline, candidate).pValue,
  effectSize: cliffsDelta,
};

const pairedMethods: Methods = {
  estimate: (baseline, candidate, alpha) => pairedShift(pairDifferences(baseline, candidate), alpha),
  pValue: (baseline, candidate) => signedRank(pairDifferences(baseline, candidate)).pValue,
  effectSize: (baseline, candidate) => pairedRankBiserial(pairDifferences(baseline, candidate)),
};

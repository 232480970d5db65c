/**
 * The difference of two cells, from one figure per repetition. It is relative on a ratio scale, otherwise absolute. The
 * detectable difference accounts for all cells that are compared at once.
 */
import { normalQuantile } from '@topo-bench/core';
import {
  cliffsDelta,
  compareSamples,
  mannWhitney,
  median,
  pairDifferences,
  pairedRankBiserial,
  pairedShift,
  repetitionsNeeded,
  shift,
  signedRank,
  smallestRejectingN,
} from '@topo-bench/stats';
import type { Sample } from './cell-samples.ts';
import type { Metric } from './metric.ts';

/** `by round`: repetitions of the same round are paired. `none`: a side has no figures. */
export type SamplePairing = 'by round' | 'unpaired' | 'none';

export interface Difference {
  difference: number;
  interval: [low: number, high: number];
  /** NaN on a scale of differences. */
  differencePercent: number;
  intervalPercent: [low: number, high: number];
  pValue: number;
  effectSize: number;
  /** The whole interval is smaller than the effect that matters. */
  within: boolean;
  minimumDetectablePercent: number;
  neededRepetitions: number;
  smallestRepetitions: number;
  pairing: SamplePairing;
}

export interface DifferenceSettings {
  alpha: number;
  effect: number;
  /** Number of cells compared at once. */
  comparisons: number;
  /** Both sides were measured in the same rounds of one run. */
  sideBySide: boolean;
}

/** @param baseline at least one sample, as in `candidate` */
export function differenceOf(
  baseline: readonly Sample[],
  candidate: readonly Sample[],
  metric: Metric,
  settings: DifferenceSettings,
): Difference {
  const rounds = settings.sideBySide ? commonRounds(baseline, candidate) : [];
  const { alpha, comparisons } = settings;
  // Pairing removes drift that both sides of a round share. With too few rounds a paired test cannot reject at all. The
  // unpaired test is used then; it is conservative for sides that drift together. Only the number of rounds decides.
  const paired = rounds.length >= smallestRejectingN(alpha, { paired: true, comparisons });
  const [from, to] = paired
    ? [rounds.map(([first]) => first), rounds.map(([, second]) => second)]
    : [baseline.map(({ value }) => value), candidate.map(({ value }) => value)];
  const found = metric.scale === 'ratio' ? relative(from, to, paired, settings) : absolute(from, to, paired, settings);
  return { ...found, pairing: paired ? 'by round' : 'unpaired' };
}

function commonRounds(baseline: readonly Sample[], candidate: readonly Sample[]): [number, number][] {
  const values = new Map(baseline.map(({ repetition, value }) => [repetition, value]));
  return candidate.flatMap(({ repetition, value }): [number, number][] => {
    const other = values.get(repetition);
    return other === undefined ? [] : [[other, value]];
  });
}

function relative(from: number[], to: number[], paired: boolean, { alpha, effect, comparisons }: DifferenceSettings) {
  const found = compareSamples(from, to, { alpha, effectThreshold: effect, paired });
  const [low, high] = found.intervalPercent.map((percent) => Math.log1p(percent / 100)) as [number, number];
  const smallest = smallestRejectingN(alpha, { paired, comparisons });
  const n = Math.min(from.length, to.length);
  const possible = smallestPValue(from.length, to.length, paired) <= alpha / comparisons;
  const detectable = detectableAmong([low, high], { alpha, comparisons, possible });
  return {
    difference: found.difference,
    interval: found.interval,
    differencePercent: found.differencePercent,
    intervalPercent: found.intervalPercent,
    pValue: found.pValue,
    effectSize: found.effectSize,
    within: low > -Math.log1p(effect) && high < Math.log1p(effect),
    minimumDetectablePercent: 100 * Math.expm1(detectable),
    neededRepetitions: repetitionsNeeded(n, detectable, Math.log1p(effect), smallest),
    smallestRepetitions: smallest,
  };
}

/** The effect that matters is a share of the baseline's median. When the median is 0, every difference matters. */
function absolute(from: number[], to: number[], paired: boolean, { alpha, effect, comparisons }: DifferenceSettings) {
  const pairs = paired ? pairDifferences(from, to) : undefined;
  const { estimate, interval } = pairs ? pairedShift(pairs, alpha) : shift(from, to, alpha);
  const [low, high] = interval;
  const base = median(from);
  const smallest = smallestRejectingN(alpha, { paired, comparisons });
  const n = Math.min(from.length, to.length);
  const possible = smallestPValue(from.length, to.length, paired) <= alpha / comparisons;
  const detectable = detectableAmong(interval, { alpha, comparisons, possible });
  const mattering = effect * base;
  return {
    difference: estimate,
    interval,
    differencePercent: Number.NaN,
    intervalPercent: [Number.NaN, Number.NaN] as [number, number],
    pValue: (pairs ? signedRank(pairs) : mannWhitney(from, to)).pValue,
    effectSize: pairs ? pairedRankBiserial(pairs) : cliffsDelta(from, to),
    within: (low === 0 && high === 0) || (low > -mattering && high < mattering),
    minimumDetectablePercent: base === 0 && Number.isFinite(detectable) ? Number.NaN : (100 * detectable) / base,
    neededRepetitions: mattering > 0 ? repetitionsNeeded(n, detectable, mattering, smallest) : smallest,
    smallestRepetitions: smallest,
  };
}

/** Two-sided p-value of complete separation: 2 / C(m + n, n), or 2 / 2^n for pairs. */
function smallestPValue(m: number, n: number, paired: boolean): number {
  let p = 2;
  for (let i = 1; i <= n; i++) p *= paired ? 0.5 : i / (m + i);
  return p;
}

/**
 * Smallest shift that one of several comparisons finds with a power of 80%. As `minimumDetectableEffect`, but the test
 * must reject at Holm's strictest level, α / comparisons. The interval given is one at α.
 * @param possible false when no data could reject with this number of repetitions; the result is then +∞
 */
export function detectableAmong(
  [low, high]: readonly [number, number],
  { alpha, comparisons, possible }: { alpha: number; comparisons: number; possible: boolean },
): number {
  if (!possible || !Number.isFinite(low) || !Number.isFinite(high)) return Number.POSITIVE_INFINITY;
  const standardError = (high - low) / 2 / normalQuantile(1 - alpha / 2);
  return standardError * (normalQuantile(1 - alpha / comparisons / 2) + normalQuantile(0.8));
}

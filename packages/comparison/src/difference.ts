/**
 * The difference of two cells, from one figure per repetition. It is relative on a ratio scale, otherwise absolute. The
 * detectable difference accounts for all cells that are compared at once. Pairs are adjusted jointly: their smallest
 * p-value does not grow with the number of cells.
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
import { type CellRepetitions, type Sample, samplesOf } from './cell-samples.ts';
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
  /** Pairs repetitions of the same round. */
  isPaired: boolean;
}

/** @param baseline at least one sample, as in `candidate` */
export function differenceOf(
  baseline: readonly Sample[],
  candidate: readonly Sample[],
  metric: Metric,
  settings: DifferenceSettings,
): Difference {
  const rounds = settings.isPaired ? commonRounds(baseline, candidate) : [];
  const paired = rounds.length > 0;
  const [from, to] = paired
    ? [rounds.map(([first]) => first), rounds.map(([, second]) => second)]
    : [baseline.map(({ value }) => value), candidate.map(({ value }) => value)];
  const found = metric.scale === 'ratio' ? relative(from, to, paired, settings) : absolute(from, to, paired, settings);
  return { ...found, pairing: paired ? 'by round' : 'unpaired' };
}

/** candidate − baseline of each common round, as logarithms on a ratio scale; NaN where both are unfinished. */
export function roundDifferences(
  baseline: CellRepetitions,
  candidate: CellRepetitions,
  metric: Metric,
): Map<number, number> {
  const scaled = (value: number): number => (metric.scale === 'ratio' ? Math.log(value) : value);
  const values = new Map(samplesOf(baseline, metric).samples.map(({ repetition, value }) => [repetition, value]));
  return new Map(
    samplesOf(candidate, metric).samples.flatMap(({ repetition, value }): [number, number][] => {
      const other = values.get(repetition);
      return other === undefined ? [] : [[repetition, scaled(value) - scaled(other)]];
    }),
  );
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
  const smallest = smallestRejectingN(alpha, { paired, comparisons: paired ? 1 : comparisons });
  const n = Math.min(from.length, to.length);
  const possible = smallestPValue(from.length, to.length, paired) <= alpha / (paired ? 1 : comparisons);
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
  const smallest = smallestRejectingN(alpha, { paired, comparisons: paired ? 1 : comparisons });
  const n = Math.min(from.length, to.length);
  const possible = smallestPValue(from.length, to.length, paired) <= alpha / (paired ? 1 : comparisons);
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

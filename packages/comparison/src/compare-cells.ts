/**
 * Comparison of matched cells. Each cell has its own interval and p-value. Verdicts follow the p-values after Holm's
 * correction over all cells. The sample is the repetition.
 */
import { TopoBenchError } from '@topo-bench/core';
import type { Cell, FactorLevels } from '@topo-bench/core/schema/result';
import { holm, median, smallestRejectingN } from '@topo-bench/stats';
import { type CellRepetitions, type CellSamples, samplesOf } from './cell-samples.ts';
import { type Difference, differenceOf, type SamplePairing } from './difference.ts';
import { type CellPair, isSaturated, saturationReason } from './match-cells.ts';
import { isSpeed, type Metric } from './metric.ts';
import { defaultMetric } from './metric-table.ts';

/** `faster` and `slower` for times and rates, `better` and `worse` for other metrics. */
export type CellVerdict = 'faster' | 'slower' | 'better' | 'worse' | 'no difference seen' | 'cannot tell';

export interface CompareSettings {
  /** Relative difference that matters, as a fraction; default 0.05. */
  effect?: number;
  /** 1 − confidence, for all cells together; default 0.05. */
  alpha?: number;
  /** Default metric of these cells, suggested by a hint when no cell can be compared. */
  usual?: string;
}

export interface SideCounts {
  /** Repetitions that the comparison uses. */
  used: number;
  invalid: number;
  /** Valid, but without this figure. */
  missing: number;
}

export interface CellComparison {
  factors: FactorLevels;
  metric: string;
  /** Median over the repetitions, in the unit of the metric; NaN without repetitions. */
  baseline: number;
  candidate: number;
  /** Candidate − baseline (Hodges–Lehmann) with its 95% interval. Percentages are NaN on a scale of differences. */
  difference: number;
  interval: [low: number, high: number];
  differencePercent: number;
  intervalPercent: [low: number, high: number];
  /** `pValue` is for this cell alone, `adjustedPValue` has Holm's correction over all cells. The latter decides. */
  pValue: number;
  adjustedPValue: number;
  effectSize: number;
  verdict: CellVerdict;
  /** Why the verdict is *cannot tell*. */
  reason?: string;
  /** Smallest change in % that this comparison finds with a power of 80%, adjusted over all cells; +∞ when none. */
  minimumDetectablePercent: number;
  /** Repetitions a side needed to show a change of `effect`, and to show any change at all. */
  neededRepetitions: number;
  smallestRepetitions: number;
  pairing: SamplePairing;
  repetitions: { baseline: SideCounts; candidate: SideCounts };
  source: { baseline: Cell['source']; candidate: Cell['source'] };
  saturated: boolean;
}

/**
 * Compares all pairs that can have the figure, in the order given.
 * @throws TopoBenchError `TB_COMPARE_NO_VALID_REPETITION` when no pair has figures on both sides
 */
export function compareCells(
  allPairs: readonly CellPair[],
  metric: Metric,
  { effect = 0.05, alpha = 0.05, usual }: CompareSettings = {},
): CellComparison[] {
  const pairs = pairsWithFigure(allPairs, metric);
  const sides = pairs.map((pair) => ({
    pair,
    baseline: samplesOf(pair.baseline, metric),
    candidate: samplesOf(pair.candidate, metric),
  }));
  const measured = sides.filter(
    ({ baseline, candidate }) => baseline.samples.length > 0 && candidate.samples.length > 0,
  );
  if (measured.length === 0) throw noValidRepetition(pairs, metric, usual);
  const settings = { effect, alpha, comparisons: measured.length };
  const differences = new Map(
    measured.map(({ pair, baseline, candidate }) => [
      pair,
      differenceOf(baseline.samples, candidate.samples, metric, { ...settings, sideBySide: pair.sideBySide }),
    ]),
  );
  const adjusted = holm([...differences.values()].map(({ pValue }) => pValue));
  const adjustedOf = new Map([...differences.keys()].map((pair, at) => [pair, adjusted[at] as number]));
  return sides.map(({ pair, baseline, candidate }): CellComparison => {
    const difference =
      differences.get(pair) ?? unknownDifference(smallestRejectingN(alpha, { comparisons: measured.length }));
    const adjustedPValue = adjustedOf.get(pair) ?? Number.NaN;
    const { within, ...figures } = difference;
    return {
      factors: pair.factors,
      metric: metric.name,
      baseline: medianOf(baseline),
      candidate: medianOf(candidate),
      ...figures,
      adjustedPValue,
      ...verdictOn(difference, adjustedPValue, metric, { alpha, saturation: saturationReason(pair, metric) }),
      repetitions: { baseline: countsOf(pair.baseline, baseline), candidate: countsOf(pair.candidate, candidate) },
      source: { baseline: pair.baseline.source, candidate: pair.candidate.source },
      saturated: isSaturated(pair),
    };
  });
}

/**
 * Removes pairs that cannot have the figure: both sides have valid repetitions, all without it. An example is the CPU
 * time of a role that another architecture lacks. If no pair would be left, all are kept, and the comparison reports
 * the reason.
 */
export function pairsWithFigure(pairs: readonly CellPair[], metric: Metric): readonly CellPair[] {
  const cannotHave = ({ valid }: CellRepetitions): boolean =>
    valid.length > 0 && valid.every((entry) => metric.read(entry) === undefined);
  const concerned = pairs.filter(({ baseline, candidate }) => !(cannotHave(baseline) && cannotHave(candidate)));
  return concerned.length > 0 ? concerned : pairs;
}

function verdictOn(
  { difference, within, pairing }: Difference,
  adjustedPValue: number,
  metric: Metric,
  { alpha, saturation }: { alpha: number; saturation: string | undefined },
): Pick<CellComparison, 'verdict' | 'reason'> {
  const cannotTell = (reason: string): Pick<CellComparison, 'verdict' | 'reason'> => ({
    verdict: 'cannot tell',
    reason,
  });
  if (pairing === 'none') return cannotTell('no valid repetition with this figure on both sides');
  if (saturation !== undefined) return cannotTell(saturation);
  if (adjustedPValue <= alpha && difference !== 0 && !Number.isNaN(difference)) {
    const better = difference < 0 === (metric.better === 'lower');
    if (isSpeed(metric)) return { verdict: better ? 'faster' : 'slower' };
    return { verdict: better ? 'better' : 'worse' };
  }
  if (within) return { verdict: 'no difference seen' };
  return cannotTell('the interval is wider than the effect that matters');
}

function medianOf({ samples }: CellSamples): number {
  return samples.length === 0 ? Number.NaN : median(samples.map(({ value }) => value));
}

function countsOf({ invalid }: CellRepetitions, { samples, missing }: CellSamples): SideCounts {
  return { used: samples.length, invalid: invalid.length, missing };
}

function unknownDifference(smallestRepetitions: number): Difference {
  const nothing: [number, number] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  return {
    difference: Number.NaN,
    interval: nothing,
    differencePercent: Number.NaN,
    intervalPercent: nothing,
    pValue: Number.NaN,
    effectSize: Number.NaN,
    within: false,
    minimumDetectablePercent: Number.POSITIVE_INFINITY,
    neededRepetitions: smallestRepetitions,
    smallestRepetitions,
    pairing: 'none',
  };
}

function noValidRepetition(pairs: readonly CellPair[], metric: Metric, usual: string = defaultMetric): TopoBenchError {
  const reasonsOf = (of: (pair: CellPair) => CellRepetitions): string[] =>
    pairs.flatMap((pair) => of(pair).invalid.flatMap(({ validity }) => validity.reasons));
  const [first] = [...reasonsOf(({ candidate }) => candidate), ...reasonsOf(({ baseline }) => baseline)];
  const other = usual === defaultMetric || usual === metric.name ? undefined : `runs like these have ${usual}`;
  const hint = first === undefined ? other : `the first reason: ${first}`;
  return new TopoBenchError(
    'TB_COMPARE_NO_VALID_REPETITION',
    `none of the ${pairs.length} matched cells has a valid repetition with ${metric.name} on both sides`,
    hint === undefined ? {} : { hint },
  );
}

/**
 * Comparison of matched cells. Each cell has its own interval and p-value. Verdicts follow the p-values after the
 * correction over all cells: step-down max-T where rounds are paired, else Holm's. The sample is the repetition.
 */
import { TopoBenchError } from '@topo-bench/core';
import type { Cell, FactorLevels } from '@topo-bench/core/schema/result';
import { cellScores, holm, maxTPValues, median, signFlips, smallestRejectingN } from '@topo-bench/stats';
import { type CellRepetitions, type CellSamples, samplesOf } from './cell-samples.ts';
import { type Difference, differenceOf, roundDifferences, type SamplePairing } from './difference.ts';
import { differenceOver, type ForeignLoad, judgedPairs, type RoundsDifference } from './foreign-rounds.ts';
import { type CellPair, isSaturated, type Saturation, saturationOf } from './match-cells.ts';
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
  /** `pValue` is for this cell alone, `adjustedPValue` has the correction over all cells. The latter decides. */
  pValue: number;
  adjustedPValue: number;
  effectSize: number;
  verdict: CellVerdict;
  /** Why the verdict is *cannot tell*. */
  reason?: string;
  /** A full host prevents a verdict, however many repetitions there are: by other programs, or by what was measured. */
  blocked?: 'foreign' | 'saturated';
  /** Smallest change in % that this comparison finds with a power of 80%, adjusted over all cells; +∞ when none. */
  minimumDetectablePercent: number;
  /** Repetitions a side needed to show a change of `effect`, and to show any change at all. */
  neededRepetitions: number;
  smallestRepetitions: number;
  pairing: SamplePairing;
  /**
   * Rounds measured side by side that all differ in one direction, on a ratio scale; absent where they do not agree.
   */
  agreeing?: RoundsDifference;
  /** Absent where no repetition was under foreign load. */
  foreign?: ForeignLoad;
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
  const pairs = judgedPairs(pairsWithFigure(allPairs, metric), metric, alpha);
  const sides = pairs.map(({ pair, foreign }) => ({
    pair,
    foreign,
    baseline: samplesOf(pair.baseline, metric),
    candidate: samplesOf(pair.candidate, metric),
  }));
  const measured = sides.filter(
    ({ baseline, candidate }) => baseline.samples.length > 0 && candidate.samples.length > 0,
  );
  if (measured.length === 0) {
    const all = pairs.map(({ pair }) => pair);
    throw noValidRepetition(all, metric, usual);
  }
  const comparisons = measured.length;
  const rounds = measured.map(({ pair }) =>
    pair.sideBySide ? roundDifferences(pair.baseline, pair.candidate, metric) : new Map<number, number>(),
  );
  // Pairing removes drift that both sides of a round share. With too few rounds a paired test cannot reject at all. The
  // unpaired test is used then; it is conservative for sides that drift together. Only the number of rounds decides.
  const isPaired = Math.max(...rounds.map(({ size }) => size)) >= smallestRejectingN(alpha, { paired: true });
  const settings = { effect, alpha, comparisons, isPaired };
  const differences = measured.map(({ baseline, candidate }) =>
    differenceOf(baseline.samples, candidate.samples, metric, settings),
  );
  const pValues = differences.map(({ pValue }) => pValue);
  const adjusted = isPaired ? adjustedJointly(rounds, pValues) : holm(pValues);
  return sides.map(({ pair, foreign, ...side }): CellComparison => {
    const at = measured.findIndex((one) => one.pair === pair);
    const difference = differences[at] ?? unknownDifference(smallestRejectingN(alpha, { comparisons }));
    const adjustedPValue = adjusted[at] ?? Number.NaN;
    const { within, ...figures } = difference;
    const agreeing = metric.scale === 'ratio' ? agreeingRounds(rounds[at], alpha) : undefined;
    return {
      factors: pair.factors,
      metric: metric.name,
      baseline: medianOf(side.baseline),
      candidate: medianOf(side.candidate),
      ...figures,
      adjustedPValue,
      ...verdictOn(difference, adjustedPValue, metric, {
        ...{ alpha, comparisons, agreeing },
        saturation: saturationOf(pair, metric),
      }),
      ...(agreeing && { agreeing }),
      ...(foreign && { foreign }),
      repetitions: {
        baseline: countsOf(pair.baseline, side.baseline),
        candidate: countsOf(pair.candidate, side.candidate),
      },
      source: { baseline: pair.baseline.source, candidate: pair.candidate.source },
      saturated: isSaturated(pair),
    };
  });
}

/**
 * P-values over all cells or levels, by relabelling whole rounds. No smaller than those of each alone, so that a shown
 * difference has an interval without 0.
 */
export function adjustedJointly(rounds: readonly ReadonlyMap<number, number>[], pValues: readonly number[]): number[] {
  if (pValues.length === 1) return [...pValues];
  const all = [...new Set(rounds.flatMap((differences) => [...differences.keys()]))].sort((a, b) => a - b);
  const scores = rounds.map((differences) => cellScores(all.map((round) => differences.get(round) ?? Number.NaN)));
  const joint = maxTPValues(scores, signFlips(all.length), 'different');
  return joint.map((pValue, at) => Math.max(pValue, pValues[at] as number));
}

/** Fewer rounds agree too often by chance to be worth a remark: three in one of four cases, five in one of 16. */
const minAgreeing = 5;

/** @param rounds differences by round, as logarithms */
export function agreeingRounds(
  rounds: ReadonlyMap<number, number> | undefined,
  alpha: number,
): RoundsDifference | undefined {
  const values = [...(rounds?.values() ?? [])];
  const isOneSided = values.every((value) => value > 0) || values.every((value) => value < 0);
  if (values.length < minAgreeing || !isOneSided) return undefined;
  return differenceOver(values, alpha);
}

/** A difference that its own interval, or every round, shows, but not the verdict. */
export function isSeen({
  verdict,
  interval: [low, high],
  agreeing,
}: Pick<CellComparison, 'verdict' | 'interval' | 'agreeing'>): boolean {
  return verdict === 'cannot tell' && (low > 0 || high < 0 || agreeing !== undefined);
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

/** A verdict with its reason where there is none. */
export type Verdict = Pick<CellComparison, 'verdict' | 'reason' | 'blocked'>;

export function verdictOn(
  { difference, interval, within, pairing }: Difference,
  adjustedPValue: number,
  metric: Metric,
  {
    alpha,
    comparisons,
    compared = 'cells',
    agreeing,
    saturation,
  }: {
    alpha: number;
    comparisons: number;
    compared?: 'cells' | 'levels';
    agreeing: RoundsDifference | undefined;
    saturation: Saturation | undefined;
  },
): Verdict {
  const cannotTell = (reason: string): Pick<CellComparison, 'verdict' | 'reason'> => ({
    verdict: 'cannot tell',
    reason,
  });
  if (pairing === 'none') return cannotTell('no valid repetition with this figure on both sides');
  if (saturation !== undefined) return { ...cannotTell(saturation.reason), blocked: saturation.by };
  if (adjustedPValue <= alpha && difference !== 0 && !Number.isNaN(difference)) {
    const better = difference < 0 === (metric.better === 'lower');
    if (isSpeed(metric)) return { verdict: better ? 'faster' : 'slower' };
    return { verdict: better ? 'better' : 'worse' };
  }
  if (within) return { verdict: 'no difference seen' };
  if (interval[0] > 0 || interval[1] < 0)
    return cannotTell(
      `among ${comparisons} ${compared} compared at once, such a difference is chance too often: its own interval excludes 0`,
    );
  if (agreeing && pairing === 'unpaired') return cannotTell(agreementText(agreeing.rounds, alpha));
  return cannotTell('the interval is wider than the effect that matters');
}

function agreementText(rounds: number, alpha: number): string {
  const needed = smallestRejectingN(alpha, { paired: true });
  return `all ${rounds} rounds agree, as they do by chance in ${agreementOdds(rounds)}: ${needed} rounds could show it`;
}

/** How often rounds agree without a difference. Two-sided: each of the others has the sign of the first. */
export function agreementOdds(rounds: number): string {
  return `one of ${2 ** (rounds - 1)} cases`;
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

/**
 * The effect of a factor over all settings of the others: per round the mean logarithm of the figure, level against
 * reference. A change of all settings shows with far fewer rounds than in a single cell.
 */
import { type RunFolder, TopoBenchError } from '@topo-bench/core';
import type { FactorLevels } from '@topo-bench/core/schema/result';
import { holm, median, smallestRejectingN } from '@topo-bench/stats';
import { cellsOf, type Sample } from './cell-samples.ts';
import type { CompareOptions } from './compare.ts';
import { adjustedJointly, agreeingRounds, type Verdict, verdictOn } from './compare-cells.ts';
import { type Difference, differenceOf, roundDifferences } from './difference.ts';
import { judgedPairs, type RoundsDifference } from './foreign-rounds.ts';
import { type CellPair, matchLevels, type Saturation, saturationOf } from './match-cells.ts';
import type { Metric } from './metric.ts';
import { commonMetrics } from './metric-table.ts';

export interface LevelEffect extends Difference, Verdict {
  factor: string;
  level: FactorLevels[string];
  reference: FactorLevels[string];
  /** Settings of the other factors that take part, of all that both levels have. */
  settings: number;
  ofSettings: number;
  rounds: number;
  /** Medians over the rounds, in the unit of the metric; geometric means over several settings. */
  baseline: number;
  candidate: number;
  agreeing?: RoundsDifference;
}

export interface AskedFactor {
  factor: string;
  reference?: string;
}

/**
 * One effect for each level but the reference, p-values corrected over the levels.
 * @returns without levels that have no common round with the reference
 * @throws TopoBenchError as `matchLevels`, and `TB_METRIC_UNKNOWN`
 */
export function levelEffects(
  run: RunFolder,
  factor: string,
  { reference, ...options }: CompareOptions & { reference?: string } = {},
): LevelEffect[] {
  const settings = settingsOf(run, options);
  return effectsOf(groupsOf(run, { factor, ...(reference !== undefined && { reference }) }, settings), settings);
}

/** As `levelEffects`, p-values corrected over the levels of all factors; without those that cannot be compared. */
export function effectsOfFactors(
  run: RunFolder,
  asked: readonly AskedFactor[],
  options: CompareOptions = {},
): LevelEffect[] {
  const groups = asked.flatMap((one) => {
    try {
      return groupsOf(run, one, settingsOf(run, options));
    } catch (error) {
      if (error instanceof TopoBenchError) return [];
      throw error;
    }
  });
  return groups.length === 0 ? [] : effectsOf(groups, settingsOf(run, options));
}

interface Settings {
  metric: Metric;
  effect: number;
  alpha: number;
}

function settingsOf(
  { cells }: RunFolder,
  { metric: name, metrics = commonMetrics, effect = 0.05, alpha = 0.05 }: CompareOptions,
): Settings {
  return { metric: metrics.of(cells, name ?? metrics.defaultOf(cells)), effect, alpha };
}

/** A level with the settings that are pooled, and one figure for each round on either side. */
interface Group {
  factor: string;
  level: FactorLevels[string];
  reference: FactorLevels[string];
  pairs: readonly CellPair[];
  all: readonly CellPair[];
  saturation: Saturation | undefined;
  baseline: Sample[];
  candidate: Sample[];
}

function groupsOf(
  run: RunFolder,
  { factor: name, reference: chosen }: AskedFactor,
  { metric, alpha }: Settings,
): Group[] {
  const { pairs: matched, factor, reference } = matchLevels(cellsOf(run), name, chosen);
  const judged = judgedPairs(matched, metric, alpha).map(({ pair }) => pair);
  const levels = [...new Set(judged.map(({ factors }) => factors[factor] as FactorLevels[string]))];
  return levels.flatMap((level): Group[] => {
    const all = judged.filter(({ factors }) => factors[factor] === level);
    const free = all.filter((pair) => saturationOf(pair, metric) === undefined);
    const pairs = withCommonRounds(free.length > 0 ? free : all, metric, alpha);
    const [first] = all as [CellPair];
    const saturation = free.length > 0 ? undefined : saturationOf(first, metric);
    const sides = pooledSides(pairs, metric);
    return sides.baseline.length === 0 ? [] : [{ factor, level, reference, pairs, all, saturation, ...sides }];
  });
}

function effectsOf(groups: readonly Group[], { metric, effect, alpha }: Settings): LevelEffect[] {
  const comparisons = Math.max(1, groups.length);
  const differences = groups.map(({ baseline, candidate }) => {
    const isPaired = baseline.length >= smallestRejectingN(alpha, { paired: true });
    return differenceOf(baseline, candidate, metric, { alpha, effect, comparisons, isPaired });
  });
  const logs = groups.map(
    ({ baseline, candidate }) =>
      new Map(
        baseline.map(({ repetition, value }, row) => [repetition, Math.log((candidate[row] as Sample).value / value)]),
      ),
  );
  const pValues = differences.map(({ pValue }) => pValue);
  const arePaired = metric.scale === 'ratio' && differences.every(({ pairing }) => pairing === 'by round');
  const adjusted = arePaired ? adjustedJointly(logs, pValues) : holm(pValues);
  return groups.map(({ factor, level, reference, pairs, all, saturation, baseline, candidate }, at): LevelEffect => {
    const difference = differences[at] as Difference;
    const agreeing = metric.scale === 'ratio' ? agreeingRounds(logs[at], alpha) : undefined;
    const settings = { alpha, comparisons, compared: 'levels' as const, agreeing, saturation };
    return {
      ...difference,
      ...{ factor, level, reference },
      ...{ settings: pairs.length, ofSettings: all.length, rounds: baseline.length },
      baseline: median(baseline.map(({ value }) => value)),
      candidate: median(candidate.map(({ value }) => value)),
      ...(agreeing && { agreeing }),
      ...verdictOn(difference, adjusted[at] as number, metric, settings),
    };
  });
}

/**
 * Settings that are pooled: a mean of other settings in each round would mix their effects. Those with the fewest
 * rounds are left out, until pairs have enough rounds in common, or all that remain have the same ones.
 */
function withCommonRounds(pairs: readonly CellPair[], metric: Metric, alpha: number): readonly CellPair[] {
  const enough = smallestRejectingN(alpha, { paired: true });
  const kept = pairs.map((pair) => ({ pair, rounds: roundsOf(pair, metric) })).sort(bySize);
  for (;;) {
    const most = kept[0]?.rounds.size ?? 0;
    const common = commonRounds(kept.map(({ rounds }) => rounds)).length;
    if (kept.length < 2 || common >= Math.min(enough, most))
      return pairs.filter((pair) => kept.some((one) => one.pair === pair));
    kept.pop();
  }
}

function bySize(a: { rounds: Set<number> }, b: { rounds: Set<number> }): number {
  return b.rounds.size - a.rounds.size;
}

function roundsOf({ baseline, candidate }: CellPair, metric: Metric): Set<number> {
  return new Set(roundDifferences(baseline, candidate, metric).keys());
}

function commonRounds([first = new Set(), ...others]: readonly Set<number>[]): number[] {
  return [...first].filter((round) => others.every((rounds) => rounds.has(round))).sort((x, y) => x - y);
}

/** Per round the geometric mean over the settings, in the rounds that all of them have on both sides. */
function pooledSides(pairs: readonly CellPair[], metric: Metric): { baseline: Sample[]; candidate: Sample[] } {
  const figure = (cell: CellPair['baseline'], round: number): number => {
    const entry = cell.valid.find(({ repetition }) => repetition === round);
    return (entry && metric.read(entry)) ?? Number.NaN;
  };
  const rounds = commonRounds(pairs.map((pair) => roundsOf(pair, metric)));
  const mean = metric.scale === 'ratio' ? geometricMean : arithmeticMean;
  const side = (of: 'baseline' | 'candidate'): Sample[] =>
    rounds.map((round) => ({ repetition: round, value: mean(pairs.map((pair) => figure(pair[of], round))) }));
  return { baseline: side('baseline'), candidate: side('candidate') };
}

function geometricMean(values: readonly number[]): number {
  return Math.exp(arithmeticMean(values.map(Math.log)));
}

function arithmeticMean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * A threshold relative to a baseline. It fails only when the change is shown to exceed the limit: one one-sided rank test on all cells pooled,
 * and one on each cell, adjusted over all cells. Each of the two has half of the stated error rate, so the rate covers the whole.
 */
import { mannWhitney, pairedShift, repetitionsNeeded, shift, signedRank, smallestRejectingN } from '@topo-bench/stats';
import { type CellDetection, describeDetectable, describeSuspects, detectionOf } from './cell-detection.ts';
import { samplesOf } from './cell-samples.ts';
import { type CellComparison, compareCells, pairsWithFigure } from './compare-cells.ts';
import { detectableAmong } from './difference.ts';
import { formatChange, formatChangeInterval } from './format-value.ts';
import type { GateCell, ThresholdResult } from './gate-result.ts';
import { type JointTest, testCells } from './joint-test.ts';
import { type CellPair, saturationReason } from './match-cells.ts';
import type { Metric } from './metric.ts';
import { pooledLogs, pooledPairs } from './pooled-ratio.ts';
import { forbidsAbove, type Threshold } from './threshold.ts';
import { manyText, percentText } from './what-could-be-seen.ts';

/** What the two sides of the pooled test say. */
interface PooledTest {
  isPaired: boolean;
  repetitions: number;
  /** Repetitions with which it could say anything. */
  least: number;
  differencePercent: number;
  intervalPercent: [low: number, high: number];
  /** One-sided: that the limit is exceeded, and that it is kept. */
  exceeded: number;
  kept: number;
  /** Logarithm of the smallest excess over the limit that the test finds four times out of five. */
  detectable: number;
  /** Distance of the estimate from the limit, as a logarithm. */
  distance: number;
}

/**
 * @param alpha error rate of this threshold as a whole; the pooled interval has confidence 1 − alpha
 * @throws TopoBenchError `TB_COMPARE_NO_VALID_REPETITION`
 */
export function checkRelative(threshold: Threshold, allPairs: readonly CellPair[], alpha: number): ThresholdResult {
  const pairs = pairsWithFigure(allPairs, threshold.metric);
  const comparisons = compareCells(pairs, threshold.metric, { alpha });
  const fair = pairs.filter((pair) => isFair(pair, threshold.metric));
  const cells = checkCells(threshold, pairs, comparisons, alpha / 2);
  const pooled = poolCells(threshold, fair, alpha / 2);
  const unmeasured = comparisons.filter(({ pairing }) => pairing === 'none').length;
  const detection = detectionOf(cells, alpha / 2);
  return {
    threshold: threshold.text,
    metric: threshold.metric.name,
    kind: threshold.kind,
    limit: threshold.limit,
    ...verdictOn(threshold, cells, pooled, { unmeasured, detection, alpha: alpha / 2 }),
    cells,
    ...(pooled && { pooled: publicPart(pooled) }),
  };
}

function verdictOn(
  threshold: Threshold,
  cells: readonly GateCell[],
  pooled: PooledTest | undefined,
  { unmeasured, detection, alpha }: { unmeasured: number; detection: CellDetection; alpha: number },
): Pick<ThresholdResult, 'verdict' | 'reason' | 'repetitionsNeeded'> {
  const limit = changeOf(threshold);
  if (pooled && pooled.exceeded <= alpha) return { verdict: 'failed', reason: `${describe(pooled)} is shown to exceed ${limit}` };
  const failed = cells.filter(({ passed }) => passed === false).length;
  if (failed > 0) {
    const where = `in ${failed} of ${cells.length} cells the change is shown to exceed ${limit}`;
    return { verdict: 'failed', reason: pooled ? `${where}; over all cells it is ${describe(pooled)}` : where };
  }
  if (!pooled) return { verdict: 'cannot tell', reason: 'the host was saturated, or had no figures, in every cell' };
  if (unmeasured > 0) {
    const have = unmeasured === 1 ? 'has' : 'have';
    return { verdict: 'cannot tell', reason: `${unmeasured} of ${cells.length} cells ${have} no valid repetition on one side` };
  }
  if (pooled.kept <= alpha) return verdictOnCells(threshold, pooled, detection, alpha);
  // At the limit itself no number of repetitions tells; and what the present number left open needs one more at least.
  const effect = pooled.distance > 1e-6 ? pooled.distance : 1e-6;
  const { repetitions, detectable, least } = pooled;
  const needed = Math.max(repetitions + 1, repetitionsNeeded(repetitions, detectable, effect, least));
  return {
    verdict: 'cannot tell',
    reason: `${describe(pooled)} may or may not exceed ${limit}; about ${manyText(needed)} a side would tell, ${seen(pooled)}`,
    repetitionsNeeded: needed,
  };
}

/** All cells together keep to the limit. It passes only if each of them could have failed, and none looks as if it should have. */
function verdictOnCells(
  threshold: Threshold,
  pooled: PooledTest,
  { cells, blind, suspects }: CellDetection,
  alpha: number,
): Pick<ThresholdResult, 'verdict' | 'reason' | 'repetitionsNeeded'> {
  const kept = `${describe(pooled)} is shown to keep to ${changeOf(threshold)}`;
  const undecided = (but: string, repetitionsNeeded: number): ReturnType<typeof verdictOnCells> => ({
    verdict: 'cannot tell',
    reason: `over all cells ${kept}, but ${but}; about ${manyText(repetitionsNeeded)} a side would tell`,
    repetitionsNeeded,
  });
  if (blind.length > 0) {
    const least = smallestRejectingN(alpha, { paired: pooled.isPaired, sided: 1 });
    const number = `${blind.length} of ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}`;
    return undecided(`in ${number} no change could have been shown`, Math.max(pooled.repetitions + 1, least));
  }
  if (suspects.length > 0) {
    return undecided(
      `${describeSuspects(suspects)} lies beyond it by itself, which among ${cells.length} cells is not shown`,
      2 * pooled.repetitions,
    );
  }
  return { verdict: 'passed', reason: `${kept}; ${seen(pooled, cells)}` };
}

/** Per cell against the limit; a figure is passed or failed only when that is shown, the latter adjusted over the cells. */
function checkCells(
  threshold: Threshold,
  pairs: readonly CellPair[],
  comparisons: readonly CellComparison[],
  alpha: number,
): GateCell[] {
  const fair = pairs.filter((pair) => isFair(pair, threshold.metric));
  const joint = testCells(threshold, fair, alpha);
  return comparisons.map((comparison, at): GateCell => {
    const pair = pairs[at] as CellPair;
    const test = joint[fair.indexOf(pair)];
    const passed = !test ? null : test.adjustedPValue <= alpha ? false : keptBy(threshold, pair) <= alpha ? true : null;
    return {
      ...comparison,
      pValue: test?.pValue ?? Number.NaN,
      adjustedPValue: test?.adjustedPValue ?? Number.NaN,
      threshold: threshold.text,
      passed,
      ...(fair.includes(pair) && { detectablePercent: percentBeyond(threshold, test) }),
    };
  });
}

/** That this cell keeps to the limit, by itself: one-sided. */
function keptBy(threshold: Threshold, pair: CellPair): number {
  if (pair.sideBySide) return oneSidedPairs(threshold, pooledPairs([pair], threshold.metric)).kept;
  const [from, to] = [pair.baseline, pair.candidate].map((cell) =>
    samplesOf(cell, threshold.metric).samples.map(({ value }) => value),
  ) as [number[], number[]];
  return oneSided(
    threshold,
    from.map((value) => value * threshold.limit),
    to,
  ).kept;
}

/** Smallest change of this cell alone, in %, that the test would have shown. */
function percentBeyond(threshold: Threshold, test: JointTest | undefined): number {
  const beyond = test?.detectable ?? Number.POSITIVE_INFINITY;
  return 100 * (threshold.limit * Math.exp(forbidsAbove(threshold) ? beyond : -beyond) - 1);
}

function poolCells(threshold: Threshold, pairs: readonly CellPair[], alpha: number): PooledTest | undefined {
  if (pairs.length > 0 && pairs.every(({ sideBySide }) => sideBySide)) return poolPairs(threshold, pairs, alpha);
  const { baseline, candidate, cells } = pooledLogs(pairs, threshold.metric);
  if (cells === 0) return undefined;
  const limit = Math.log(threshold.limit);
  const { estimate, interval } = shift(baseline, candidate, 2 * alpha);
  const repetitions = Math.min(baseline.length, candidate.length);
  const percent = (log: number): number => 100 * Math.expm1(log);
  return {
    isPaired: false,
    repetitions,
    least: smallestRejectingN(alpha, { sided: 1 }),
    differencePercent: percent(estimate),
    intervalPercent: [percent(interval[0]), percent(interval[1])],
    ...oneSided(
      threshold,
      baseline.map((log) => log + limit),
      candidate,
    ),
    detectable: detectableAmong(interval, { alpha: 2 * alpha, comparisons: 1, possible: true }),
    distance: Math.abs(estimate - limit),
  };
}

function isFair(pair: CellPair, metric: Metric): boolean {
  return saturationReason(pair, metric) === undefined;
}

/** Cells whose sides took turns: the differences of the pairs, by signed rank. */
function poolPairs(threshold: Threshold, pairs: readonly CellPair[], alpha: number): PooledTest | undefined {
  const differences = pooledPairs(pairs, threshold.metric);
  if (differences.length === 0) return undefined;
  const { estimate, interval } = pairedShift(differences, 2 * alpha);
  const percent = (log: number): number => 100 * Math.expm1(log);
  return {
    isPaired: true,
    repetitions: differences.length,
    least: smallestRejectingN(alpha, { paired: true, sided: 1 }),
    differencePercent: percent(estimate),
    intervalPercent: [percent(interval[0]), percent(interval[1])],
    ...oneSidedPairs(threshold, differences),
    detectable: detectableAmong(interval, { alpha: 2 * alpha, comparisons: 1, possible: true }),
    distance: Math.abs(estimate - Math.log(threshold.limit)),
  };
}

/** @param differences logarithms of candidate / baseline */
function oneSidedPairs(threshold: Threshold, differences: readonly number[]): { exceeded: number; kept: number } {
  const [beyond, within] = forbidsAbove(threshold) ? (['greater', 'less'] as const) : (['less', 'greater'] as const);
  const fromLimit = differences.map((difference) => difference - Math.log(threshold.limit));
  return { exceeded: signedRank(fromLimit, beyond).pValue, kept: signedRank(fromLimit, within).pValue };
}

/** @param atLimit the baseline as it would be if it stood at the limit */
function oneSided(
  threshold: Threshold,
  atLimit: readonly number[],
  candidate: readonly number[],
): { exceeded: number; kept: number } {
  const [beyond, within] = forbidsAbove(threshold) ? (['greater', 'less'] as const) : (['less', 'greater'] as const);
  return { exceeded: mannWhitney(atLimit, candidate, beyond).pValue, kept: mannWhitney(atLimit, candidate, within).pValue };
}

function publicPart({
  repetitions,
  differencePercent,
  intervalPercent,
  exceeded,
  detectable,
}: PooledTest): NonNullable<ThresholdResult['pooled']> {
  return {
    repetitions,
    differencePercent,
    intervalPercent,
    pValue: exceeded,
    minimumDetectablePercent: 100 * Math.expm1(detectable),
  };
}

function describe({ differencePercent, intervalPercent }: PooledTest): string {
  return `a change of ${formatChange(differencePercent)} (${formatChangeInterval(intervalPercent)})`;
}

function changeOf({ limit }: Threshold): string {
  return formatChange(100 * (limit - 1));
}

/** What could have been seen if all cells changed alike and, where there are several, if one did. */
function seen({ repetitions, detectable }: PooledTest, cells: readonly GateCell[] = []): string {
  const count = `${repetitions} ${repetitions === 1 ? 'repetition' : 'repetitions'}`;
  if (!Number.isFinite(detectable)) return `with ${count} nothing could have been seen`;
  const beyond = `less than ${percentText(100 * Math.expm1(detectable))} beyond the limit`;
  if (cells.length < 2) return `with ${count} ${beyond} could not have been seen`;
  return `with ${count} ${beyond} in all ${cells.length} cells, or a change of less than ${describeDetectable(cells)} in one of them alone, could not have been seen`;
}

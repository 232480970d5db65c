/** Second step of a relative threshold: a one-sided test for each cell, adjusted over all cells. */
import { samplesOf } from './cell-samples.ts';
import type { CellComparison } from './compare-cells.ts';
import type { GateCell } from './gate-result.ts';
import { type JointTest, testCells } from './joint-test.ts';
import { type CellPair, saturationOf } from './match-cells.ts';
import type { Metric } from './metric.ts';
import { testPairs, testSides } from './one-sided-test.ts';
import { pooledPairs } from './pooled-ratio.ts';
import { forbidsAbove, type Threshold } from './threshold.ts';

/**
 * Compares each cell with the limit. A cell passes or fails only when the test rejects; failures are adjusted over all
 * cells.
 * @param pairs cells that can have the figure; saturated ones stay undecided
 * @param comparisons one for each pair, in the same order
 * @param alpha error rate of this step
 */
export function testEachCell(
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

/** One-sided p-value of this cell alone staying within the limit. */
function keptBy(threshold: Threshold, pair: CellPair): number {
  if (pair.sideBySide) return testPairs(threshold, pooledPairs([pair], threshold.metric)).kept;
  const [from, to] = [pair.baseline, pair.candidate].map((cell) =>
    samplesOf(cell, threshold.metric).samples.map(({ value }) => value),
  ) as [number[], number[]];
  return testSides(
    threshold,
    from.map((value) => value * threshold.limit),
    to,
  ).kept;
}

/** Smallest change of this cell alone, in %, that the test can detect. */
function percentBeyond(threshold: Threshold, test: JointTest | undefined): number {
  const beyond = test?.detectable ?? Number.POSITIVE_INFINITY;
  return 100 * (threshold.limit * Math.exp(forbidsAbove(threshold) ? beyond : -beyond) - 1);
}

/** Whether host saturation leaves the pair comparable by this figure. */
export function isFair(pair: CellPair, metric: Metric): boolean {
  return saturationOf(pair, metric) === undefined;
}

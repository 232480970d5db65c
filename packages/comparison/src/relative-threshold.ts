/**
 * A threshold relative to a baseline. It fails only when the change is shown to exceed the limit. Two steps share the
 * stated error rate equally: a test on all cells pooled, and a test on each cell.
 */
import { counted } from '@topo-bench/core';
import { repetitionsNeeded, smallestRejectingN } from '@topo-bench/stats';
import { type CellDetection, describeDetectable, describeSuspects, detectionOf } from './cell-detection.ts';
import { isFair, testEachCell } from './cell-tests.ts';
import { compareCells, pairsWithFigure } from './compare-cells.ts';
import type { CostOfRounds } from './cost-of-rounds.ts';
import { judgedPair } from './foreign-rounds.ts';
import { formatChange, formatChangeWithInterval } from './format-value.ts';
import { furtherText, manyText } from './further-repetitions.ts';
import type { GateCell, ThresholdResult } from './gate-result.ts';
import type { CellPair } from './match-cells.ts';
import { type PooledTest, pooledResult, testPooled } from './pooled-test.ts';
import { percentText } from './sensitivity-sentences.ts';
import type { Threshold } from './threshold.ts';

/**
 * Judges one relative threshold.
 * @param alpha error rate of this threshold as a whole; the pooled interval has confidence 1 − alpha
 * @param cost of further repetitions on both sides
 * @param forecast whether the reason has the number of repetitions that would tell
 * @throws TopoBenchError `TB_COMPARE_NO_VALID_REPETITION`
 */
export function checkRelative(
  threshold: Threshold,
  allPairs: readonly CellPair[],
  { alpha, cost, forecast = true }: { alpha: number; cost?: CostOfRounds; forecast?: boolean },
): ThresholdResult {
  const pairs = pairsWithFigure(allPairs, threshold.metric).map(
    (pair) => judgedPair(pair, threshold.metric, alpha).pair,
  );
  const comparisons = compareCells(pairs, threshold.metric, { alpha });
  const fair = pairs.filter((pair) => isFair(pair, threshold.metric));
  const cells = testEachCell(threshold, pairs, comparisons, alpha / 2);
  const pooled = testPooled(threshold, fair, alpha / 2);
  const unmeasured = comparisons.filter(({ pairing }) => pairing === 'none').length;
  const detection = detectionOf(cells, alpha / 2);
  const { repetitionsNeeded, ...verdict } = verdictOn(threshold, cells, pooled, {
    ...{ unmeasured, detection, alpha: alpha / 2 },
    tell: (needed, test) => (forecast ? `; ${wouldTell(needed, test, cost)}` : ''),
  });
  return {
    threshold: threshold.text,
    metric: threshold.metric.name,
    kind: threshold.kind,
    limit: threshold.limit,
    ...verdict,
    ...(forecast && repetitionsNeeded !== undefined && { repetitionsNeeded }),
    cells,
    ...(pooled && { pooled: pooledResult(pooled) }),
  };
}

function verdictOn(
  threshold: Threshold,
  cells: readonly GateCell[],
  pooled: PooledTest | undefined,
  {
    unmeasured,
    detection,
    alpha,
    tell,
  }: { unmeasured: number; detection: CellDetection; alpha: number; tell: Forecast },
): Pick<ThresholdResult, 'verdict' | 'reason' | 'repetitionsNeeded'> {
  const limit = changeOf(threshold);
  if (pooled && pooled.exceeded <= alpha)
    return { verdict: 'failed', reason: `${describe(pooled)} is shown to exceed ${limit}` };
  const failed = cells.filter(({ passed }) => passed === false).length;
  if (failed > 0) {
    const where = `in ${failed} of ${counted(cells.length, 'cell')} the change is shown to exceed ${limit}`;
    return { verdict: 'failed', reason: pooled ? `${where}; over all cells it is ${describe(pooled)}` : where };
  }
  if (!pooled) return { verdict: 'cannot tell', reason: 'the host was saturated, or had no figures, in every cell' };
  if (unmeasured > 0) {
    const have = unmeasured === 1 ? 'has' : 'have';
    return {
      verdict: 'cannot tell',
      reason: `${unmeasured} of ${counted(cells.length, 'cell')} ${have} no valid repetition on one side`,
    };
  }
  if (pooled.kept <= alpha) return verdictOnCells(threshold, pooled, { detection, alpha, tell });
  // At the limit itself no number of repetitions decides. An undecided test needs at least one more.
  const effect = pooled.distance > 1e-6 ? pooled.distance : 1e-6;
  const { repetitions, detectable, minRepetitions } = pooled;
  const needed = Math.max(repetitions + 1, repetitionsNeeded(repetitions, detectable, effect, minRepetitions));
  return {
    verdict: 'cannot tell',
    reason: `${describe(pooled)} may or may not exceed ${limit}${tell(needed, pooled)}, ${seen(pooled)}`,
    repetitionsNeeded: needed,
  };
}

/**
 * Verdict once the pooled change is shown to be within the limit. The threshold passes only if every cell could have
 * failed and no cell lies beyond the limit by itself.
 */
function verdictOnCells(
  threshold: Threshold,
  pooled: PooledTest,
  { detection, alpha, tell }: { detection: CellDetection; alpha: number; tell: Forecast },
): Pick<ThresholdResult, 'verdict' | 'reason' | 'repetitionsNeeded'> {
  const { cells, blind, suspects } = detection;
  const kept = `${describe(pooled)} is shown to keep to ${changeOf(threshold)}`;
  const undecided = (but: string, repetitionsNeeded: number): ReturnType<typeof verdictOnCells> => ({
    verdict: 'cannot tell',
    reason: `over all cells ${kept}, but ${but}${tell(repetitionsNeeded, pooled)}`,
    repetitionsNeeded,
  });
  if (blind.length > 0) {
    const min = smallestRejectingN(alpha, { paired: pooled.isPaired, sided: 1 });
    const number = `${blind.length} of ${counted(cells.length, 'cell')}`;
    return undecided(`in ${number} no change could have been shown`, Math.max(pooled.repetitions + 1, min));
  }
  if (suspects.length > 0) {
    return undecided(
      `${describeSuspects(suspects)} lies beyond it by itself, which among ${cells.length} cells is not shown`,
      2 * pooled.repetitions,
    );
  }
  return { verdict: 'passed', reason: `${kept}; ${seen(pooled, cells)}` };
}

/** The rest of a reason: how many repetitions would decide; empty without a forecast. */
type Forecast = (needed: number, pooled: PooledTest) => string;

/** How many repetitions would decide, and their price. Sides that take turns vary less, and need fewer. */
function wouldTell(needed: number, { repetitions, isPaired }: PooledTest, cost: CostOfRounds | undefined): string {
  const further = furtherText(needed, repetitions, cost);
  const fewer = isPaired || further === '' ? '' : ', fewer where the sides take turns (topo-bench gate --experiment)';
  return `about ${manyText(needed)} a side would tell${further}${fewer}`;
}

function describe({ differencePercent, intervalPercent }: PooledTest): string {
  return `a change of ${formatChangeWithInterval(differencePercent, intervalPercent)}`;
}

function changeOf({ limit }: Threshold): string {
  return formatChange(100 * (limit - 1));
}

/** Sensitivity: to a change of all cells alike and, with several cells, to a change of one of them. */
function seen({ repetitions, detectable }: PooledTest, cells: readonly GateCell[] = []): string {
  const count = counted(repetitions, 'repetition');
  if (!Number.isFinite(detectable)) return `with ${count} nothing could have been seen`;
  const beyond = `less than ${percentText(100 * Math.expm1(detectable))} beyond the limit`;
  if (cells.length < 2) return `with ${count} ${beyond} could not have been seen`;
  return `with ${count} ${beyond} in all ${cells.length} cells, or a change of less than ${describeDetectable(cells)} in one of them alone, could not have been seen`;
}

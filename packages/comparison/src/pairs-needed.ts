/**
 * Number of pairs that a side-by-side gate needs, from the spread measured so far. The difference itself has no
 * influence: stopping at a convenient result would inflate the error rate.
 */
import { normalQuantile, type RunFolder } from '@topo-bench/core';
import { pairedShift, quantileOfSorted, sortedCopy } from '@topo-bench/stats';
import { cellsOf } from './cell-samples.ts';
import { judgedPair } from './foreign-rounds.ts';
import { testCells } from './joint-test.ts';
import { type CellPair, matchRuns } from './match-cells.ts';
import { gateAlpha, minDistance, minPairs, shareNeeded, stepAlpha } from './pairs-for-limit.ts';
import { pooledPairs } from './pooled-ratio.ts';
import { checkRelative } from './relative-threshold.ts';
import type { Threshold } from './threshold.ts';

const minForAbsolute = 6;
export interface PairsNeeded {
  pairs: number;
  /** Pairs so far that are valid on both sides, for the threshold that has the fewest. */
  have: number;
}

/** @param baseline side-by-side partner of `candidate` */
export function pairsNeeded(baseline: RunFolder, candidate: RunFolder, thresholds: readonly Threshold[]): PairsNeeded {
  const relative = thresholds.filter(({ kind }) => kind === 'relative');
  const alpha = stepAlpha(relative.length);
  const { pairs: all } = matchRuns(cellsOf(baseline), cellsOf(candidate), true);
  const of = relative.map((threshold) => {
    const { metric, limit } = threshold;
    const pairs = all.map((pair) => judgedPair(pair, metric, 2 * alpha).pair);
    const differences = pooledPairs(pairs, metric);
    const wanted = Math.max(needed(differences, alpha, limit), neededForOneCell(pairs, threshold, alpha));
    return { pairs: Math.max(minPairs(alpha), wanted), have: differences.length };
  });
  const valid = Math.min(...all.map((pair) => Math.min(pair.baseline.valid.length, pair.candidate.valid.length)));
  return {
    pairs: Math.max(minForAbsolute, ...of.map((each) => each.pairs)),
    have: Math.min(valid, ...of.map((each) => each.have)),
  };
}

/** Limits that are offered in place of one that these pairs cannot decide, in %. */
const offeredPercents = [2, 3, 5, 7.5, 10, 15, 20, 30, 50, 100];

/**
 * The limit nearest to that of an undecided relative threshold with which these pairs would have had a verdict, as
 * text.
 * @param relative number of relative thresholds of the gate, which share the error rate
 * @returns undefined where the threshold itself has a verdict, where no limit has, and for limits that demand an
 *   improvement
 */
export function thresholdThatTells(
  baseline: RunFolder,
  candidate: RunFolder,
  threshold: Threshold,
  relative = 1,
): string | undefined {
  const { limit, operator, metric } = threshold;
  const allowed = operator.startsWith('<') ? limit - 1 : 1 - limit;
  if (threshold.kind !== 'relative' || allowed <= 0) return undefined;
  const { pairs } = matchRuns(cellsOf(baseline), cellsOf(candidate), true);
  const areMeasured = pairs.some(({ baseline: from, candidate: to }) =>
    [from, to].every(({ valid }) => valid.some((entry) => metric.read(entry) !== undefined)),
  );
  const settings = { alpha: gateAlpha / relative, forecast: false };
  const tells = (at: number): boolean =>
    checkRelative({ ...threshold, limit: at }, pairs, settings).verdict !== 'cannot tell';
  if (!areMeasured || tells(limit)) return undefined;
  const sign = operator.startsWith('<') ? 1 : -1;
  const wider = offeredPercents.filter((percent) => percent > 100 * allowed && (sign > 0 || percent < 100));
  const percent = wider.find((one) => tells(1 + (sign * one) / 100));
  return percent === undefined ? undefined : `${metric.name} ${operator} ${sign > 0 ? '+' : '-'}${percent}%`;
}

/** As `minimumDetectableEffect`: half the rank interval is z(1 − α) standard errors. */
function needed(differences: readonly number[], alpha: number, limit: number): number {
  if (differences.length === 0) return 0;
  const [low, high] = pairedShift(differences, 2 * alpha).interval;
  const standardError = (high - low) / 2 / normalQuantile(1 - alpha);
  if (!Number.isFinite(standardError)) return differences.length + 1;
  return Math.ceil(differences.length * shareNeeded(standardError, alpha, limit));
}

/**
 * Pairs needed to find a change of one cell by four times the limit, at the third quartile of the cells' spreads. A
 * single noisy cell does not prolong the measurement; its lower sensitivity is reported instead.
 */
function neededForOneCell(pairs: readonly CellPair[], threshold: Threshold, alpha: number): number {
  if (pairs.length < 2) return 0;
  const tests = testCells(threshold, pairs, alpha).filter((test) => test !== undefined);
  if (tests.length === 0) return 0;
  const have = pooledPairs(pairs, threshold.metric).length;
  const detectable = quantileOfSorted(sortedCopy(tests.map(({ reliablyDetectable }) => reliablyDetectable)), 0.75);
  if (!Number.isFinite(detectable)) return have + 1;
  const { limit } = threshold;
  const fourfold = 4 * limit - 3;
  const distance = fourfold > 0 ? Math.abs(Math.log(fourfold / limit)) : 3 * Math.abs(Math.log(limit));
  return Math.ceil(have * (detectable / Math.max(3 * minDistance, distance)) ** 2);
}

/** First step of a relative threshold: one one-sided rank test on all cells pooled. */
import { pairedShift, shift, smallestRejectingN } from '@topo-bench/stats';
import { detectableAmong } from './difference.ts';
import type { ThresholdResult } from './gate-result.ts';
import type { CellPair } from './match-cells.ts';
import { type OneSided, testPairs, testSides } from './one-sided-test.ts';
import { pooledLogs, pooledPairs } from './pooled-ratio.ts';
import type { Threshold } from './threshold.ts';

export interface PooledTest extends OneSided {
  isPaired: boolean;
  repetitions: number;
  /** Min repetitions with which the test can reject. */
  minRepetitions: number;
  differencePercent: number;
  intervalPercent: [low: number, high: number];
  /** Logarithm of the smallest excess over the limit that the test finds with a power of 80%. */
  detectable: number;
  /** Distance of the estimate from the limit, as a logarithm. */
  distance: number;
}

/**
 * Pairs repetitions when every cell was measured side by side; otherwise compares the two sides as independent samples.
 * @param pairs cells that may be judged
 * @param alpha error rate of the test
 * @returns undefined when no cell has figures on both sides
 */
export function testPooled(threshold: Threshold, pairs: readonly CellPair[], alpha: number): PooledTest | undefined {
  const isPaired = pairs.length > 0 && pairs.every(({ sideBySide }) => sideBySide);
  return isPaired ? testPooledPairs(threshold, pairs, alpha) : testPooledSides(threshold, pairs, alpha);
}

function testPooledPairs(threshold: Threshold, pairs: readonly CellPair[], alpha: number): PooledTest | undefined {
  const differences = pooledPairs(pairs, threshold.metric);
  if (differences.length === 0) return undefined;
  return {
    isPaired: true,
    repetitions: differences.length,
    minRepetitions: smallestRejectingN(alpha, { paired: true, sided: 1 }),
    ...changeOf(threshold, pairedShift(differences, 2 * alpha), alpha),
    ...testPairs(threshold, differences),
  };
}

function testPooledSides(threshold: Threshold, pairs: readonly CellPair[], alpha: number): PooledTest | undefined {
  const { baseline, candidate, cells } = pooledLogs(pairs, threshold.metric);
  if (cells === 0) return undefined;
  const atLimit = baseline.map((log) => log + Math.log(threshold.limit));
  return {
    isPaired: false,
    repetitions: Math.min(baseline.length, candidate.length),
    minRepetitions: smallestRejectingN(alpha, { sided: 1 }),
    ...changeOf(threshold, shift(baseline, candidate, 2 * alpha), alpha),
    ...testSides(threshold, atLimit, candidate),
  };
}

interface LogShift {
  estimate: number;
  interval: [low: number, high: number];
}

function changeOf(
  threshold: Threshold,
  { estimate, interval }: LogShift,
  alpha: number,
): Pick<PooledTest, 'differencePercent' | 'intervalPercent' | 'detectable' | 'distance'> {
  return {
    differencePercent: percent(estimate),
    intervalPercent: [percent(interval[0]), percent(interval[1])],
    detectable: detectableAmong(interval, { alpha: 2 * alpha, comparisons: 1, possible: true }),
    distance: Math.abs(estimate - Math.log(threshold.limit)),
  };
}

/** The part of a pooled test that a gate result carries. */
export function pooledResult(test: PooledTest): NonNullable<ThresholdResult['pooled']> {
  const { repetitions, differencePercent, intervalPercent, exceeded, detectable } = test;
  return {
    repetitions,
    differencePercent,
    intervalPercent,
    pValue: exceeded,
    minimumDetectablePercent: percent(detectable),
  };
}

function percent(log: number): number {
  return 100 * Math.expm1(log);
}

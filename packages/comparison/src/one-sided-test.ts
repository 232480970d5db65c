/** One-sided rank tests against the limit of a relative threshold. */
import { mannWhitney, signedRank } from '@topo-bench/stats';
import { forbidsAbove, type Threshold } from './threshold.ts';

/** P-values of two one-sided tests. */
export interface OneSided {
  /** p-value of the change exceeding the limit. */
  exceeded: number;
  /** p-value of the change staying within the limit. */
  kept: number;
}

/**
 * Signed rank test for pairs of repetitions.
 * @param differences logarithms of candidate / baseline
 */
export function testPairs(threshold: Threshold, differences: readonly number[]): OneSided {
  const { beyond, within } = directions(threshold);
  const fromLimit = differences.map((difference) => difference - Math.log(threshold.limit));
  return { exceeded: signedRank(fromLimit, beyond).pValue, kept: signedRank(fromLimit, within).pValue };
}

/**
 * Mann–Whitney test for independent repetitions.
 * @param atLimit the baseline moved to the limit
 */
export function testSides(threshold: Threshold, atLimit: readonly number[], candidate: readonly number[]): OneSided {
  const { beyond, within } = directions(threshold);
  return {
    exceeded: mannWhitney(atLimit, candidate, beyond).pValue,
    kept: mannWhitney(atLimit, candidate, within).pValue,
  };
}

type Direction = 'greater' | 'less';

function directions(threshold: Threshold): { beyond: Direction; within: Direction } {
  return forbidsAbove(threshold) ? { beyond: 'greater', within: 'less' } : { beyond: 'less', within: 'greater' };
}

/** The result of a rank test of two sets, and p-values from the distribution of its statistic. */
import { normalCdf } from '@topo-bench/core';
import { probabilityFrom, probabilityUpTo } from './null-distributions.ts';

/** Alternative hypothesis about the level of the candidate: different from the baseline's, lower, or higher. */
export type Alternative = 'different' | 'less' | 'greater';

export interface RankTest {
  statistic: number;
  /** Probability of a statistic at least as extreme under the null hypothesis. */
  pValue: number;
  /**
   * `exact`: counted over all permutations, ties included. `normal`: approximated, with tie and continuity correction.
   */
  method: 'exact' | 'normal';
}

/** p-value of a statistic under its exact distribution (by index). Two-sided: twice the smaller tail, at most 1. */
export function exactPValue(distribution: Float64Array, statistic: number, alternative: Alternative): number {
  if (alternative === 'less') return probabilityUpTo(distribution, statistic);
  if (alternative === 'greater') return probabilityFrom(distribution, statistic);
  return Math.min(1, 2 * Math.min(probabilityUpTo(distribution, statistic), probabilityFrom(distribution, statistic)));
}

/**
 * p-value by the normal approximation with a continuity correction.
 * @param excess statistic − its mean
 * @param deviation its standard deviation
 * @param step distance between its possible values
 */
export function normalPValue(excess: number, deviation: number, step: number, alternative: Alternative): number {
  if (deviation === 0) return 1;
  const less = normalCdf((excess + step / 2) / deviation);
  const greater = normalCdf(-(excess - step / 2) / deviation);
  if (alternative !== 'different') return alternative === 'less' ? less : greater;
  return Math.min(1, 2 * Math.min(less, greater));
}

/** Mann–Whitney U: whether the values of one set tend to be greater than those of another, for any distribution. */
import { requireNumbers, requireSome } from './input.ts';
import { subsetSumDistribution, subsetSumIsAffordable } from './null-distributions.ts';
import { type Alternative, exactPValue, normalPValue, type RankTest } from './rank-test.ts';
import { rank } from './ranks.ts';

/**
 * Tests two independent sets. `statistic` is U of the candidate: the number of pairs in which it is greater than the
 * baseline, with ties as half. Exact (permutation distribution of the tied ranks) up to about 50 values per side, else
 * normal. Source: Mann & Whitney, Ann. Math. Stat. 18 (1947) 50–60; tie correction: Lehmann, Nonparametrics (1975),
 * section 1.4.
 * @param baseline at least one value; +∞ ranks highest
 * @param candidate at least one value; +∞ ranks highest
 * @throws TopoBenchError `TB_STATS_INPUT`
 */
export function mannWhitney(
  baseline: ArrayLike<number>,
  candidate: ArrayLike<number>,
  alternative: Alternative = 'different',
): RankTest {
  for (const values of [baseline, candidate]) {
    requireSome(values, 'mannWhitney');
    requireNumbers(values, 'mannWhitney');
  }
  const [m, n] = [baseline.length, candidate.length];
  const { doubledRanks, tieTerm } = rank([...Array.from(candidate), ...Array.from(baseline)]);
  const doubledSum = doubledRanks.slice(0, n).reduce((sum, each) => sum + each, 0);
  const statistic = doubledSum / 2 - (n * (n + 1)) / 2;
  if (subsetSumIsAffordable(doubledRanks, n)) {
    return {
      statistic,
      pValue: exactPValue(subsetSumDistribution(doubledRanks, n), doubledSum, alternative),
      method: 'exact',
    };
  }
  const all = m + n;
  const variance = ((m * n) / 12) * (all + 1 - tieTerm / (all * (all - 1)));
  return {
    statistic,
    pValue: normalPValue(statistic - (m * n) / 2, Math.sqrt(variance), 1, alternative),
    method: 'normal',
  };
}

/**
 * Cliff's delta: P(candidate > baseline) − P(candidate < baseline) over all pairs, from −1 to 1; equal to the
 * rank-biserial correlation of the two sets. Source: Cliff, Psychol. Bull. 114 (1993) 494–509. O((m + n) log (m + n)).
 */
export function cliffsDelta(baseline: ArrayLike<number>, candidate: ArrayLike<number>): number {
  const n = candidate.length;
  const { doubledRanks } = rank([...Array.from(candidate), ...Array.from(baseline)]);
  const u = doubledRanks.slice(0, n).reduce((sum, each) => sum + each, 0) / 2 - (n * (n + 1)) / 2;
  return (2 * u) / (n * baseline.length) - 1;
}

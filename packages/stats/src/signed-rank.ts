/** Wilcoxon's signed-rank test: whether paired differences tend to be positive. */
import { requireSome } from './input.ts';
import { signSumDistribution, signSumIsAffordable } from './null-distributions.ts';
import { type Alternative, exactPValue, normalPValue, type RankTest } from './rank-test.ts';
import { rank } from './ranks.ts';

/**
 * Tests paired differences (candidate − baseline). `statistic` is the sum of ranks of the positive ones. Differences of
 * zero are omitted, as in Wilcoxon's paper; NaN (both unfinished) counts as zero. Exact (all signs of the tied ranks)
 * up to about 350 pairs, else normal. Source: Wilcoxon, Biometrics Bulletin 1 (1945) 80–83; normal approximation:
 * Lehmann, Nonparametrics (1975), section 3.2.
 * @throws TopoBenchError `TB_STATS_INPUT` without any pair
 */
export function signedRank(differences: ArrayLike<number>, alternative: Alternative = 'different'): RankTest {
  requireSome(differences, 'signedRank');
  const { doubledRanks, positive, tieTerm } = signedRanks(differences);
  const doubledSum = positive.reduce((sum, each) => sum + each, 0);
  const statistic = doubledSum / 2;
  if (signSumIsAffordable(doubledRanks)) {
    return {
      statistic,
      pValue: exactPValue(signSumDistribution(doubledRanks), doubledSum, alternative),
      method: 'exact',
    };
  }
  const n = doubledRanks.length;
  const variance = (n * (n + 1) * (2 * n + 1)) / 24 - tieTerm / 48;
  return {
    statistic,
    pValue: normalPValue(statistic - (n * (n + 1)) / 4, Math.sqrt(variance), 1, alternative),
    method: 'normal',
  };
}

/**
 * Rank-biserial correlation of pairs: (positive − negative rank sum) / all, −1 to 1; 0 when all are zero. Source: Kerby
 * (2014).
 */
export function pairedRankBiserial(differences: ArrayLike<number>): number {
  const { doubledRanks, positive } = signedRanks(differences);
  const all = doubledRanks.reduce((sum, each) => sum + each, 0);
  return all === 0 ? 0 : (2 * positive.reduce((sum, each) => sum + each, 0)) / all - 1;
}

function signedRanks(differences: ArrayLike<number>): { doubledRanks: number[]; positive: number[]; tieTerm: number } {
  const nonZero = Array.from(differences).filter((difference) => difference < 0 || difference > 0);
  const { doubledRanks, tieTerm } = rank(nonZero.map(Math.abs));
  return { doubledRanks, positive: doubledRanks.filter((_, i) => (nonZero[i] as number) > 0), tieTerm };
}

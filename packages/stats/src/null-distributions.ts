/**
 * Null distributions of rank statistics, counted exactly over all permutations of the observed ranks. They are exact
 * for ties too, where tables and most libraries approximate.
 */

/** Max additions for an exact distribution (about 0.1 s); beyond it, callers use the normal approximation. */
const affordableSteps = 5e7;

/** Whether `subsetSumDistribution` is affordable for this many of these scores. */
export function subsetSumIsAffordable(scores: readonly number[], size: number): boolean {
  return scores.length * size * sum(scores) <= affordableSteps;
}

/** Whether `signSumDistribution` is affordable for these scores. */
export function signSumIsAffordable(scores: readonly number[]): boolean {
  return scores.length * sum(scores) <= affordableSteps;
}

/**
 * Probability of each sum of `size` scores drawn without replacement, all subsets equally likely; index = sum. Source:
 * the recursion of Mann & Whitney, Ann. Math. Stat. 18 (1947), for any scores as in Streitberg & Röhmel's shift
 * algorithm (1986). O(scores · size · sum).
 * @param scores whole numbers ≥ 0, e.g. doubled ranks
 */
export function subsetSumDistribution(scores: readonly number[], size: number): Float64Array {
  const top = sum(scores);
  const ways = Array.from({ length: size + 1 }, () => new Float64Array(top + 1));
  (ways[0] as Float64Array)[0] = 1;
  let reach = 0;
  scores.forEach((score, used) => {
    reach += score;
    for (let chosen = Math.min(size, used + 1); chosen >= 1; chosen--) {
      const to = ways[chosen] as Float64Array;
      const from = ways[chosen - 1] as Float64Array;
      for (let s = reach; s >= score; s--) to[s] = (to[s] as number) + (from[s - score] as number);
    }
  });
  return normalised(ways[size] as Float64Array);
}

/**
 * Probability of each sum of the scores with a plus, when every sign is a fair coin; index = sum. O(scores · sum).
 * Source: Wilcoxon, Biometrics Bulletin 1 (1945) 80–83, for any scores.
 * @param scores whole numbers ≥ 0, e.g. doubled ranks
 */
export function signSumDistribution(scores: readonly number[]): Float64Array {
  const ways = new Float64Array(sum(scores) + 1);
  ways[0] = 1;
  let reach = 0;
  for (const score of scores) {
    reach += score;
    for (let s = reach; s >= score; s--) ways[s] = ((ways[s] as number) + (ways[s - score] as number)) / 2;
    // A sum below the score needs a minus.
    for (let s = score - 1; s >= 0; s--) ways[s] = (ways[s] as number) / 2;
  }
  return normalised(ways);
}

/** P(X ≤ x) of a distribution by index; 0 below it. */
export function probabilityUpTo(distribution: Float64Array, x: number): number {
  let total = 0;
  for (let i = 0; i <= Math.min(x, distribution.length - 1); i++) total += distribution[i] as number;
  return total;
}

/** P(X ≥ x) of a distribution by index, summed from its small end for the precision of small tails. */
export function probabilityFrom(distribution: Float64Array, x: number): number {
  let total = 0;
  for (let i = distribution.length - 1; i >= Math.max(0, x); i--) total += distribution[i] as number;
  return total;
}

function normalised(ways: Float64Array): Float64Array {
  const all = ways.reduce((total, each) => total + each, 0);
  return ways.map((each) => each / all);
}

function sum(scores: readonly number[]): number {
  return scores.reduce((total, score) => total + score, 0);
}

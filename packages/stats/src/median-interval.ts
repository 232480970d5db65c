/** Distribution-free interval of a median. It uses the order of the values alone and is robust to outliers. */

/**
 * Inverts the two-sided sign test, at confidence 1 − alpha or more. At 95% it is infinite below six values. Values may
 * be +∞. Source: Hollander & Wolfe, Nonparametric Statistical Methods, section 3.6.
 */
export function medianInterval(values: readonly number[], alpha: number): [low: number, high: number] {
  const n = values.length;
  const sorted = Float64Array.from(values).sort();
  // Sums P(Bin(n, 1/2) = k) from k = 0 upwards while the sum is within the tail. Logarithms: as a number, 1/2^n is 0
  // from n = 1075 on.
  let count = 0;
  let logProbability = -n * Math.LN2;
  for (let below = Math.exp(logProbability); below <= alpha / 2; below += Math.exp(logProbability)) {
    count++;
    logProbability += Math.log((n - count + 1) / count);
  }
  if (count === 0) return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  return [sorted[count - 1] as number, sorted[n - count] as number];
}

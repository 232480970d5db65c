/** Interval of a median from the order of the values alone: no shape is assumed, and an outlier counts as one value beyond, however far. */

/**
 * The interval that inverts the two-sided sign test, at confidence 1 − alpha or more; infinite below six values at 95%. +∞ is a value.
 * Source: Hollander & Wolfe, Nonparametric Statistical Methods, section 3.6.
 */
export function medianInterval(values: readonly number[], alpha: number): [low: number, high: number] {
  const n = values.length;
  const sorted = Float64Array.from(values).sort();
  // P(Bin(n, 1/2) = k), from k = 0 upwards, for as long as their sum stays within the tail.
  let count = 0;
  let probability = 0.5 ** n;
  for (let below = probability; below <= alpha / 2; below += probability) {
    count++;
    probability *= (n - count + 1) / count;
  }
  if (count === 0) return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  return [sorted[count - 1] as number, sorted[n - count] as number];
}

/**
 * Quantiles of raw samples by the definition that R, NumPy and pandas use by default, so that users who recompute
 * a figure from the samples get the same one.
 */

/**
 * The q-quantile of sorted values: linear interpolation between the order statistics around (n − 1)·q.
 * A quantile that needs a value of +∞ (an unfinished request) is +∞.
 * Source: Hyndman & Fan, Sample Quantiles in Statistical Packages, Am. Stat. 50 (1996), definition 7.
 * @param sorted ascending; +∞ last
 * @param q in [0, 1]
 * @returns NaN for no values
 */
export function quantileOfSorted(sorted: ArrayLike<number>, q: number): number {
  if (sorted.length === 0) return Number.NaN;
  const place = (sorted.length - 1) * q;
  const below = Math.floor(place);
  const low = sorted[below] as number;
  const share = place - below;
  // Exactly on an order statistic: its right neighbour, which may be +∞ or equal, has no part in it.
  if (share === 0) return low;
  const high = sorted[below + 1] as number;
  return high === low ? low : low + share * (high - low);
}

/** The median of values in any order; definition 7, so the mean of the middle two for an even count. NaN for none. */
export function median(values: ArrayLike<number>): number {
  return quantileOfSorted(sortedCopy(values), 0.5);
}

/** A sorted copy; −0, ±∞ in numeric order. */
export function sortedCopy(values: ArrayLike<number>): Float64Array {
  return Float64Array.from(values).sort();
}

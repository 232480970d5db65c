/**
 * Quantiles of raw samples by the default definition of R, NumPy and pandas: users can reproduce figures from the
 * samples.
 */

/**
 * The q-quantile of sorted values: linear interpolation between the order statistics around (n − 1)·q. A quantile that
 * needs a value of +∞ (an unfinished request) is +∞. Source: Hyndman & Fan, Sample Quantiles in Statistical Packages,
 * Am. Stat. 50 (1996), definition 7.
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
  // Exactly on an order statistic: its right neighbour must not take part, since it may be +∞.
  if (share === 0) return low;
  const high = sorted[below + 1] as number;
  return high === low ? low : low + share * (high - low);
}

/** The median of unsorted values by definition 7: the mean of the middle two for an even count. NaN for none. */
export function median(values: ArrayLike<number>): number {
  return quantileOfSorted(sortedCopy(values), 0.5);
}

/** A sorted copy; −0 and ±∞ in numeric order. */
export function sortedCopy(values: ArrayLike<number>): Float64Array {
  return Float64Array.from(values).sort();
}

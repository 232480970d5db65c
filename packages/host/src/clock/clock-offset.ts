/** How far another clock is ahead of ours, from readings of it between readings of ours. */

/** One exchange: theirs was read after `beforeUs` and before `afterUs` of ours. */
export interface ClockExchange {
  beforeUs: number;
  theirsUs: number;
  afterUs: number;
}

/** Theirs minus ours, ± the error. */
export interface ClockOffset {
  us: number;
  errorUs: number;
}

/**
 * Each exchange bounds the offset from both sides; the bounds that all of them allow are the estimate. Delays need not be
 * symmetric, and one quick exchange is enough for a small error.
 */
export function clockOffset(exchanges: readonly ClockExchange[]): ClockOffset {
  const low = Math.max(...exchanges.map(({ theirsUs, afterUs }) => theirsUs - afterUs));
  const high = Math.min(...exchanges.map(({ theirsUs, beforeUs }) => theirsUs - beforeUs));
  // Readings are rounded, and clocks drift: bounds may miss each other by a little.
  return { us: (low + high) / 2, errorUs: Math.abs(high - low) / 2 };
}

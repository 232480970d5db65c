/** Offset of another clock from the local one, from its readings between local readings. */

/** One exchange: the other clock was read between `beforeUs` and `afterUs` of the local one. */
export interface ClockExchange {
  beforeUs: number;
  theirsUs: number;
  afterUs: number;
}

/** Their clock minus ours, ± the error. */
export interface ClockOffset {
  us: number;
  errorUs: number;
}

/**
 * Each exchange bounds the offset from both sides. The estimate is the intersection of all bounds. Delays need not be
 * symmetric, and one fast exchange is enough for a small error.
 */
export function clockOffset(exchanges: readonly ClockExchange[]): ClockOffset {
  const low = Math.max(...exchanges.map(({ theirsUs, afterUs }) => theirsUs - afterUs));
  const high = Math.min(...exchanges.map(({ theirsUs, beforeUs }) => theirsUs - beforeUs));
  // Readings are rounded, and clocks drift: bounds may miss each other by a little.
  return { us: (low + high) / 2, errorUs: Math.abs(high - low) / 2 };
}

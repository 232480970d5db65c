/**
 * Ranks of pooled values. Rank tests use them in place of values, so neither outliers nor +∞ need special treatment.
 */
export interface Ranking {
  /**
   * Twice the rank (from 1) of each value in the given order; equal values share their mean rank. Doubled ranks are
   * whole numbers.
   */
  doubledRanks: number[];
  /** Σ (t³ − t) over groups of t equal values: the tie correction of a rank statistic's variance. 0 without ties. */
  tieTerm: number;
}

/** Ranks values in ascending order. +∞ is the highest, tied with every other +∞. */
export function rank(values: ArrayLike<number>): Ranking {
  const order = Array.from(values, (_, i) => i).sort((a, b) =>
    compareNumbers(values[a] as number, values[b] as number),
  );
  const doubledRanks = new Array<number>(values.length);
  let tieTerm = 0;
  for (let from = 0, to = 0; from < order.length; from = to) {
    while (to < order.length && values[order[to] as number] === values[order[from] as number]) to++;
    // Twice the mean of ranks from + 1 … to.
    for (let i = from; i < to; i++) doubledRanks[order[i] as number] = from + 1 + to;
    tieTerm += (to - from) ** 3 - (to - from);
  }
  return { doubledRanks, tieTerm };
}

/** Ascending; unlike subtraction it is correct for two infinities. */
function compareNumbers(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

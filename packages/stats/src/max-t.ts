/**
 * Tests many cells at once by relabelling whole rounds: Westfall & Young's step-down max-T. Cells with common rounds
 * are relabelled together, so the reference distribution contains their dependence. The smallest possible p-value does
 * not grow with the number of cells.
 */
import { type RandomStream, randomStream } from '@topo-bench/core';
import { quantileOfSorted } from './quantile.ts';

/**
 * Max number of enumerated relabellings. Beyond it, this many are drawn at random; the test stays valid because the
 * observed one is always among them.
 */
const maxRelabellings = 1024;

/** One sign per row. The first relabelling is the observed one. */
export type Relabellings = readonly Int8Array[];

/**
 * One score per row, 0 for a cell without figure. A score of 0 adds nothing to the statistic, whatever its sign.
 * @see cellScores
 */
export type CellScores = Float64Array;

/** All choices of signs for `pairs` differences: under the null hypothesis both signs are equally likely. */
export function signFlips(pairs: number): Relabellings {
  const observed = new Int8Array(pairs).fill(1);
  if (2 ** pairs > maxRelabellings) {
    return drawn(observed, (_, random) => Int8Array.from({ length: pairs }, () => (random.integer(2) === 0 ? 1 : -1)));
  }
  return Array.from({ length: 2 ** pairs }, (_, bits) =>
    Int8Array.from({ length: pairs }, (_sign, row) => (bits & (1 << row) ? -1 : 1)),
  );
}

/**
 * All divisions of the rows into two sides of the observed sizes: −1 for the first `baseline` rows, 1 for the
 * `candidate` rows after them.
 */
export function divisions(baseline: number, candidate: number): Relabellings {
  const observed = Int8Array.from({ length: baseline + candidate }, (_, row) => (row < baseline ? -1 : 1));
  let count = 1;
  for (let one = 1; one <= candidate; one++) count *= (baseline + one) / one;
  if (count > maxRelabellings + 0.5) return drawn(observed, shuffled);
  const found: Int8Array[] = [observed];
  const choose = (signs: Int8Array, from: number, left: number): void => {
    if (left === 0) {
      if (signs.some((sign, row) => sign !== observed[row])) found.push(signs);
      return;
    }
    for (let row = from; row <= signs.length - left; row++) {
      const next = signs.slice();
      next[row] = 1;
      choose(next, row + 1, left - 1);
    }
  };
  choose(new Int8Array(observed.length).fill(-1), 0, candidate);
  return found;
}

function drawn(observed: Int8Array, draw: (signs: Int8Array, random: RandomStream) => Int8Array): Relabellings {
  const random = randomStream(0, 'relabellings', observed.length);
  return [observed, ...Array.from({ length: maxRelabellings - 1 }, () => draw(observed, random))];
}

function shuffled(observed: Int8Array, random: RandomStream): Int8Array {
  const signs = observed.slice();
  for (let last = signs.length - 1; last > 0; last--) {
    const other = random.integer(last + 1);
    [signs[last], signs[other]] = [signs[other] as number, signs[last] as number];
  }
  return signs;
}

/**
 * Max weight of a row, relative to the median row of its cell: one disturbed round neither decides nor hides a change.
 */
const maxWeight = 3;

/**
 * Scores of a cell: its values with absolute values limited to three times their median, ±∞ (unfinished) included. The
 * limit depends on the absolute values alone. No change of sign affects it, so the test stays exact.
 * @param values one per row; NaN where the cell has no figure, or where both sides are unfinished
 */
export function cellScores(values: ArrayLike<number>): CellScores {
  const sizes = Array.from(values, Math.abs)
    .filter((size) => !Number.isNaN(size))
    .sort((a, b) => a - b);
  const median = sizes[Math.floor(sizes.length / 2)] ?? 0;
  if (median === Number.POSITIVE_INFINITY) {
    return Float64Array.from(values, (value) => (Number.isFinite(value) || Number.isNaN(value) ? 0 : Math.sign(value)));
  }
  // With a median of 0 there is no typical size: then only infinite values need a limit.
  const largest = sizes.findLast(Number.isFinite) ?? 0;
  const limit = median > 0 ? maxWeight * median : largest > 0 ? largest : 1;
  return Float64Array.from(values, (value) => (Number.isNaN(value) ? 0 : Math.max(-limit, Math.min(limit, value))));
}

/**
 * Scores of two unpaired sides, for `divisions`: distances from the median of both sides together, limited as above.
 * They are then centred, so that sides of different sizes weigh the same.
 * @param values one per row of both sides
 */
export function dividedScores(values: ArrayLike<number>): CellScores {
  const known = Float64Array.from(Array.from(values).filter((value) => !Number.isNaN(value)));
  const centre = quantileOfSorted(known.sort(), 0.5);
  const distances = Array.from(values, (value) =>
    Number.isFinite(centre) ? value - centre : value === centre ? 0 : -1,
  );
  const scores = cellScores(distances.map((distance, row) => (Number.isNaN(values[row]) ? Number.NaN : distance)));
  const mean = scores.reduce((sum, score) => sum + score, 0) / known.length;
  return scores.map((score, row) => (Number.isNaN(values[row]) ? 0 : score - mean));
}

/**
 * P-values for scores above 0 (`greater`) or on either side of it (`different`), adjusted over all cells by step-down
 * max-T. The probability of any false rejection is at most α, for cells with any dependence. The statistic of a cell is
 * Σ sign · score / √Σ score², which orders relabellings as Student's t does. Source: Westfall & Young, Resampling-Based
 * Multiple Testing (1993), algorithm 4.1; Romano & Wolf, J. Am. Stat. Assoc. 100 (2005) 94–108, for the exactness of
 * step-down with relabelling. O(cells · relabellings · rows).
 * @returns in the given order; 1 for a cell without any score
 */
export function maxTPValues(
  cells: readonly CellScores[],
  relabellings: Relabellings,
  alternative: 'greater' | 'different' = 'greater',
): number[] {
  const statistics = cells.map((scores) => {
    const found = statisticsOf(scores, relabellings);
    return alternative === 'greater' ? found : found.map(Math.abs);
  });
  const observed = statistics.map((values) => values[0] as number);
  const descending = observed.map((_, at) => at).sort((a, b) => (observed[b] as number) - (observed[a] as number));
  const highest = new Float64Array(relabellings.length).fill(Number.NEGATIVE_INFINITY);
  const pValues = new Array<number>(cells.length).fill(1);
  for (const at of descending.toReversed()) {
    raise(highest, statistics[at] as Float64Array);
    pValues[at] = shareReaching(highest, observed[at] as number);
  }
  let lowerBound = 0;
  for (const at of descending) {
    lowerBound = Math.max(lowerBound, pValues[at] as number);
    pValues[at] = lowerBound;
  }
  return pValues;
}

/**
 * Share of the statistics that are no smaller. Equal ones may differ in the last digit, depending on the order of
 * summation.
 */
export function shareReaching(statistics: Float64Array, reached: number): number {
  let count = 0;
  for (const value of statistics) if (value >= reached - 1e-9) count++;
  return count / statistics.length;
}

/** Raises each of `highest` to the value of the same relabelling. */
export function raise(highest: Float64Array, values: Float64Array): void {
  for (let at = 0; at < highest.length; at++)
    if ((values[at] as number) > (highest[at] as number)) highest[at] = values[at] as number;
}

/**
 * Σ sign · score / √Σ score² of each relabelling, the observed one first; 0 for a cell without scores. At most √n for
 * scores in n rows.
 */
export function statisticsOf(scores: CellScores, relabellings: Relabellings): Float64Array {
  const length = Math.sqrt(scores.reduce((sum, score) => sum + score * score, 0));
  if (length === 0) return new Float64Array(relabellings.length);
  const unit = scores.map((score) => score / length);
  return Float64Array.from(relabellings, (signs) => {
    let sum = 0;
    for (let row = 0; row < unit.length; row++) sum += (signs[row] as number) * (unit[row] as number);
    return sum;
  });
}

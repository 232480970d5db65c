/** Figures of uneven intervals on an even grid. Processes read their figures at moments of their own. */

export interface Grid {
  /** On the clock of the intervals. */
  startUs: number;
  intervalUs: number;
  count: number;
}

/** Consecutive intervals: the first begins at `startUs`, each other one where the one before it ends. */
export interface Intervals {
  startUs: number;
  endUs: readonly number[];
}

/** Share of an interval of the grid that must be known. */
const minCovered = 0.5;

/**
 * Spreads values over the grid in proportion to the overlap.
 * @param values amounts per interval
 * @returns amounts per µs of time that is known; NaN where less than half of it is
 */
export function rates(intervals: Intervals, values: readonly number[], grid: Grid): Float64Array {
  const amounts = new Float64Array(grid.count);
  const covered = new Float64Array(grid.count);
  eachOverlap(intervals, grid, (at, cell, overlapUs, lengthUs) => {
    amounts[cell] = (amounts[cell] as number) + ((values[at] as number) * overlapUs) / lengthUs;
    covered[cell] = (covered[cell] as number) + overlapUs;
  });
  return amounts.map((amount, cell) => {
    const known = covered[cell] as number;
    return known >= minCovered * grid.intervalUs ? amount / known : Number.NaN;
  });
}

/** The max of the values of all intervals that overlap; NaN without any. */
export function maxima(intervals: Intervals, values: readonly number[], grid: Grid): Float64Array {
  const found = new Float64Array(grid.count).fill(Number.NaN);
  eachOverlap(intervals, grid, (at, cell) => {
    const [value, before] = [values[at] as number, found[cell] as number];
    found[cell] = Number.isNaN(before) ? value : Math.max(before, value);
  });
  return found;
}

function eachOverlap(
  { startUs, endUs }: Intervals,
  grid: Grid,
  call: (at: number, cell: number, overlapUs: number, lengthUs: number) => void,
): void {
  let fromUs = startUs;
  for (const [at, toUs] of endUs.entries()) {
    const first = Math.max(0, Math.floor((fromUs - grid.startUs) / grid.intervalUs));
    const last = Math.min(grid.count - 1, Math.ceil((toUs - grid.startUs) / grid.intervalUs) - 1);
    for (let cell = first; cell <= last; cell++) {
      const cellUs = grid.startUs + cell * grid.intervalUs;
      const overlapUs = Math.min(toUs, cellUs + grid.intervalUs) - Math.max(fromUs, cellUs);
      if (overlapUs > 0) call(at, cell, overlapUs, toUs - fromUs);
    }
    fromUs = toUs;
  }
}

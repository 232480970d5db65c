/** Measured and simulated figures are compared with each other on request only, and each has its own interval then. */
import { formatValue, type RunComparison } from '@topo-bench/comparison';
import { cellKey, counted, describeCell, type RunFolder, TopoBenchError } from '@topo-bench/core';
import { median, medianInterval } from '@topo-bench/stats';

/**
 * @param how to ask for it
 * @throws TopoBenchError `TB_USAGE` for runs of different sources
 */
export function requireOneSource(runs: readonly RunFolder[], how: string): void {
  if (!isMixed(runs)) return;
  throw new TopoBenchError('TB_USAGE', 'one of the runs is measured and the other simulated', {
    hint: `compare runs of one kind, or ${how}: the difference then contains the error of the simulation`,
  });
}

function isMixed(runs: readonly RunFolder[]): boolean {
  return new Set(runs.flatMap(({ cells }) => cells.map(({ source }) => source))).size > 1;
}

/** For mixed sources a note for each cell: `sidecar: measured 5.2 ms (4.9 ms … 5.5 ms), simulated 4.8 ms (…)`. */
export function intervalsBySource(runs: readonly RunFolder[], { cells, metric }: RunComparison): string[] {
  if (!isMixed(runs)) return [];
  return cells.map(({ factors }) => {
    const sides = runs.map((run) => {
      const own = run.cells.filter((cell) => cell.validity.valid && cellKey(cell.factors) === cellKey(factors));
      const values = own.flatMap((cell) => metric.read(cell) ?? []);
      const ends = medianInterval(values, 0.05);
      // Five repetitions or fewer have none. Unfinished requests leave it open at the top.
      const interval =
        ends[0] !== Number.NEGATIVE_INFINITY
          ? `95% ${ends.map((end) => formatValue(end, metric.unit)).join(' … ')}`
          : `interval unknown: got ${counted(values.length, 'repetition')}, expected 6 or more`;
      return `${own[0]?.source ?? 'without figures'} ${formatValue(median(values), metric.unit)} (${interval})`;
    });
    return `${describeCell(factors)}: ${sides.join(', ')}`;
  });
}

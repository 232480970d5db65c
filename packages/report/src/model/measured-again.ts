/**
 * Re-measured repetitions: requests left late, or other programs used the processors. The report lists the superseded
 * measurements next to the valid figures.
 */
import { formatUs } from '@topo-bench/core';
import type { Cell, DiscardedMeasurement, FactorLevels } from '@topo-bench/core/schema/result';
import { largestShare } from '@topo-bench/results';
import type { CellGroup } from './cell-group.ts';
import { type TimeMetric, timeMetricNames } from './time-metric.ts';

/** A superseded measurement. */
export interface Discarded {
  factors: FactorLevels;
  repetition: number;
  reasons: readonly string[];
  /**
   * Medians of both measurements, for a check that the choice did not favour a result: `round-trip time 10.3 ms, then
   * 10.1 ms`.
   */
  medians: string;
}

export const discardedHeading =
  'Measured again, since requests left late or other programs had the processors; the earlier measurements are in none of the figures';

/** In the order of cells, then repetitions; measurements of one repetition in time order. */
export function discardedMeasurements(groups: readonly CellGroup[]): Discarded[] {
  return groups.flatMap(({ factors, valid, invalid }) =>
    [...valid, ...invalid]
      .sort((a, b) => a.repetition - b.repetition)
      .flatMap((cell) => (cell.discarded ?? []).map((earlier) => describe(factors, cell, earlier))),
  );
}

function describe(factors: FactorLevels, cell: Cell, earlier: DiscardedMeasurement): Discarded {
  // Reads and writes of a store have no round-trip time.
  const metric: TimeMetric = Number.isNaN(earlier.rtt.medianUs) ? 'responseTime' : 'rtt';
  return {
    factors,
    repetition: cell.repetition,
    reasons: reasonsOf(earlier),
    medians: `median ${timeMetricNames[metric]} ${formatUs(earlier[metric].medianUs)}, then ${formatUs(cell[metric].medianUs)}`,
  };
}

function reasonsOf({ validity, host }: DiscardedMeasurement): readonly string[] {
  if (!validity.valid) return validity.reasons;
  if (!validity.flags.includes('foreign-load')) return ['another level of its round was disturbed'];
  const share = largestShare('foreign-load', [{ validity, resources: host ? { host } : {} }]);
  return [`other programs had ${share ?? 'much'} of the processors`];
}

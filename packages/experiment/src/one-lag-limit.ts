/**
 * One limit of the scheduler lag for all repetitions that are compared: that of the smallest median among them. Judged
 * by its own median, a slow cell would keep a disturbed repetition that a fast cell loses.
 */
import { isDeepStrictEqual } from 'node:util';
import { cellKey } from '@topo-bench/core';
import type { Cell, FactorLevels } from '@topo-bench/core/schema/result';
import { withLag, withoutLag } from '@topo-bench/results';
import type { MeasuredRepetition } from './backend.ts';
import { comparisons } from './compared-cells.ts';
import type { ResolvedExperiment } from './resolve-experiment.ts';
import type { Study } from './study.ts';

export interface Comparison {
  /** Levels of all cells: those that differ in the compared factor alone have one limit. */
  cells: readonly FactorLevels[];
  /** Smallest difference that matters, as a share of the median. */
  smallestDifference: number;
  /** Whose median is judged: that of a study without round trips is the response time. */
  interval: Study['interval'];
}

export function comparisonOf({ cells, experiment }: ResolvedExperiment): Comparison {
  const { smallestDifference } = experiment.validity;
  return { cells: cells.map(({ levels }) => levels), smallestDifference, interval: cells[0]?.study.interval ?? 'rtt' };
}

/**
 * Pure: the same entries get the same verdicts, whatever they were judged by before.
 * @param entries of one round
 * @returns in the same order; an entry whose verdict stays is the same object
 */
export function heldToOneLagLimit(
  entries: readonly Cell[],
  { cells, smallestDifference, interval }: Comparison,
): Cell[] {
  const groupOf = comparisons(cells);
  // Times on a saturated host are compared with no others. Queues there make medians of seconds, which no lag of
  // milliseconds moves.
  const key = ({ factors, validity }: Cell): string =>
    `${groupOf.get(cellKey(factors))} ${validity.flags.includes('host-saturated')}`;
  const keys = entries.map(key);
  return entries.map((entry, at) => {
    const peers = entries.filter((_, other) => keys[other] === keys[at]);
    return heldTo(smallestMedianUs(entry, peers, interval), smallestDifference, entry);
  });
}

/** Repetitions measured at once are judged before they are stored. */
export function heldTogether(measured: readonly MeasuredRepetition[], comparison: Comparison): MeasuredRepetition[] {
  const entries = heldToOneLagLimit(
    measured.map(({ entry }) => entry),
    comparison,
  );
  return measured.map((one, at) => ({ ...one, entry: entries[at] as Cell }));
}

function heldTo(medianUs: number, smallestDifference: number, entry: Cell): Cell {
  const { validity: before, schedulerLag: lag, resources, generator } = entry;
  if (!before.lagLimit) return entry;
  const validity = withLag(withoutLag(before, lag), {
    lag,
    medianUs,
    smallestDifference,
    realTimePriority: generator?.realTimePriority,
    stolenPercent: resources.host?.stolenPercent,
  });
  return isDeepStrictEqual(validity, before) ? entry : { ...entry, validity };
}

/** Its own, or that of a peer with nothing wrong but the lag: what is never compared has no say. */
function smallestMedianUs(entry: Cell, peers: readonly Cell[], interval: Study['interval']): number {
  const others = peers.filter(
    ({ validity, schedulerLag }) => validity.lagLimit && withoutLag(validity, schedulerLag).valid,
  );
  const known = [entry, ...others].map((one) => one[interval].medianUs).filter((medianUs) => !Number.isNaN(medianUs));
  return known.length === 0 ? Number.NaN : Math.min(...known);
}

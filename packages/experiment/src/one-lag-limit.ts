/**
 * One limit of the scheduler lag for all compared repetitions: the limit of the smallest median among them. With a
 * limit per cell, a slow cell would keep a disturbed repetition that a fast cell loses.
 */
import { isDeepStrictEqual } from 'node:util';
import { cellKey } from '@topo-bench/core';
import type { Cell, FactorLevels } from '@topo-bench/core/schema/result';
import { type Lag, withLag, withoutLag } from '@topo-bench/results';
import type { MeasuredRepetition, Study } from '@topo-bench/trial';
import { comparisons } from './compared-cells.ts';
import type { ResolvedExperiment } from './resolve-experiment.ts';

export interface Comparison {
  /** Levels of all cells. Cells that differ only in the compared factor have the same limit. */
  cells: readonly FactorLevels[];
  /** Smallest difference that matters, as a share of the median. */
  smallestDifference: number;
  /** The interval of the median; the response time for studies without round trips. */
  interval: Study['interval'];
}

export function comparisonOf({ cells, experiment }: ResolvedExperiment): Comparison {
  const { smallestDifference } = experiment.validity;
  return { cells: cells.map(({ levels }) => levels), smallestDifference, interval: cells[0]?.study.interval ?? 'rtt' };
}

/**
 * Pure: verdicts depend on the entries only, not on earlier limits.
 * @param entries of one round
 * @returns entries in the same order; an entry with an unchanged verdict is the same object
 */
export function applyOneLagLimit(
  entries: readonly Cell[],
  { cells, smallestDifference, interval }: Comparison,
): Cell[] {
  const groupOf = comparisons(cells);
  // Times on a saturated host are compared separately. Its queues cause medians of seconds, which a lag of milliseconds
  // does not change.
  const key = ({ factors, validity }: Cell): string =>
    `${groupOf.get(cellKey(factors))} ${validity.flags.includes('host-saturated')}`;
  const keys = entries.map(key);
  return entries.map((entry, at) => {
    const peers = entries.filter((_, other) => keys[other] === keys[at]);
    const others = lagsInTurnsWith(entry, entries);
    return applyLagLimit(entry, { medianUs: smallestMedianUs(entry, peers, interval), smallestDifference, others });
  });
}

/** Applies one limit to repetitions of the same load, before they are stored. */
export function withOneLagLimit(measured: readonly MeasuredRepetition[], comparison: Comparison): MeasuredRepetition[] {
  const entries = applyOneLagLimit(
    measured.map(({ entry }) => entry),
    comparison,
  );
  return measured.map((one, at) => ({ ...one, entry: entries[at] as Cell }));
}

function applyLagLimit(
  entry: Cell,
  { medianUs, smallestDifference, others }: { medianUs: number; smallestDifference: number; others: readonly Lag[] },
): Cell {
  const { validity: before, schedulerLag: lag, resources, generator } = entry;
  if (!before.lagLimit) return entry;
  const validity = withLag(withoutLag(before, lag), {
    lag: lagOf(entry),
    medianUs,
    smallestDifference,
    ...(takesTurns(entry) && { inTurns: { rateRps: entry.offeredRps, others } }),
    realTimePriority: generator?.realTimePriority,
    stolenPercent: resources.host?.stolenPercent,
  });
  return isDeepStrictEqual(validity, before) ? entry : { ...entry, validity };
}

function takesTurns({ turns }: Cell): boolean {
  return turns !== undefined && turns.levels > 1;
}

/** Lags of the other cells of the same joint load. They may differ in what is not compared. */
function lagsInTurnsWith(entry: Cell, entries: readonly Cell[]): Lag[] {
  return entries.filter((other) => other !== entry && takesTurns(other) && isSameLoad(other, entry)).map(lagOf);
}

/** Cells in turns share one load, and so its start. */
function isSameLoad(one: Cell, other: Cell): boolean {
  return one.startedAt === other.startedAt;
}

function lagOf({ schedulerLag, turns }: Cell): Lag {
  return { ...schedulerLag, meanErrorUs: turns?.lagErrorUs };
}

/** The median of the entry, or of a peer that is valid apart from its lag. Other peers are never compared. */
function smallestMedianUs(entry: Cell, peers: readonly Cell[], interval: Study['interval']): number {
  const others = peers.filter(
    ({ validity, schedulerLag }) => validity.lagLimit && withoutLag(validity, schedulerLag).valid,
  );
  const known = [entry, ...others].map((one) => one[interval].medianUs).filter((medianUs) => !Number.isNaN(medianUs));
  return known.length === 0 ? Number.NaN : Math.min(...known);
}

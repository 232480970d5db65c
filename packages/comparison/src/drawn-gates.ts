/**
 * Gates drawn from measured pairs of equal sides. Each takes rounds at random, with replacement, until it has as many
 * as it asks for; in each round, the sides are exchanged at random. Equal sides make both orders equally likely, so
 * that a few rounds yield many gates. A lasting difference between the sides cancels out: it is reported by itself.
 */
import { cellKey, type RandomStream, type RunFolder } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import { gate } from './gate.ts';
import type { ThresholdResult } from './gate-result.ts';
import type { Metric } from './metric.ts';
import { commonMetrics, type MetricTable } from './metric-table.ts';
import { pairsNeeded } from './pairs-needed.ts';
import type { Threshold } from './threshold.ts';

/** Entries of all cells in one round, by side. */
export interface Round {
  baseline: readonly Cell[];
  candidate: readonly Cell[];
}

export interface DrawnGate {
  baseline: RunFolder;
  candidate: RunFolder;
  pairs: number;
}

type Sides<T> = Record<'baseline' | 'candidate', T>;

/** A drawn gate that is far from enough pairs asks again after this part of the missing ones, not after each pair. */
const checksOnTheWay = 8;
/** No relative threshold asks for fewer pairs. */
const minPairs = 6;

/** Rounds with at least one cell that is valid on both sides, in the order measured. */
export function roundsOf(baseline: RunFolder, candidate: RunFolder): Round[] {
  const numbers = [...new Set(candidate.cells.map(({ repetition }) => repetition))].sort((a, b) => a - b);
  return numbers
    .map((number) => ({ baseline: entriesOf(baseline, number), candidate: entriesOf(candidate, number) }))
    .filter(hasValidPair);
}

function entriesOf({ cells }: RunFolder, number: number): Cell[] {
  return cells.filter(({ repetition }) => repetition === number);
}

function hasValidPair({ baseline, candidate }: Round): boolean {
  const keys = new Set(baseline.filter(({ validity }) => validity.valid).map(({ factors }) => cellKey(factors)));
  return candidate.some(({ validity, factors }) => validity.valid && keys.has(cellKey(factors)));
}

/**
 * One gate, which stops as a real one does: when the pairs are enough for their spread, or at `maxPairs`.
 * @param of the runs that the rounds are from
 */
export function drawGate(
  rounds: readonly Round[],
  threshold: Threshold,
  { of, maxPairs, random }: { of: Sides<RunFolder>; maxPairs: number; random: RandomStream },
): DrawnGate {
  const drawn: Sides<Cell[]> = { baseline: [], candidate: [] };
  const runs = (): Sides<RunFolder> => ({
    baseline: { ...of.baseline, cells: drawn.baseline },
    candidate: { ...of.candidate, cells: drawn.candidate },
  });
  let next = Math.min(minPairs, maxPairs);
  for (let pairs = 1; ; pairs++) {
    const round = rounds[random.integer(rounds.length)] as Round;
    const exchanged = random.integer(2) === 1;
    drawn.baseline.push(...numbered(exchanged ? round.candidate : round.baseline, pairs));
    drawn.candidate.push(...numbered(exchanged ? round.baseline : round.candidate, pairs));
    if (pairs < next) continue;
    const both = runs();
    const { pairs: wanted, have } = pairsNeeded(both.baseline, both.candidate, [threshold]);
    if (have >= wanted || pairs >= maxPairs) return { ...both, pairs };
    next = Math.min(maxPairs, pairs + Math.ceil((wanted - have) / checksOnTheWay));
  }
}

/** Copies, so that a round that is drawn twice counts as two. */
function numbered(cells: readonly Cell[], repetition: number): Cell[] {
  return cells.map((cell) => ({ ...cell, repetition }));
}

/** Which figures of the candidate are worse, and the share by which. */
export interface Change {
  share: number;
  /** Key of the only cell that changes. Default: all change. */
  cell?: string;
}

/** The result of a drawn gate whose candidate is worse by a known share. */
export function resultWith(
  { baseline, candidate }: DrawnGate,
  threshold: Threshold,
  { share, cell }: Change,
  metrics: MetricTable = commonMetrics,
): ThresholdResult {
  const factor = threshold.metric.better === 'lower' ? 1 + share : 1 / (1 + share);
  const worse = new Set(candidate.cells.filter(({ factors }) => cell === undefined || cellKey(factors) === cell));
  const metric: Metric = {
    ...threshold.metric,
    read: (entry) => {
      const value = threshold.metric.read(entry);
      return value !== undefined && worse.has(entry) ? value * factor : value;
    },
  };
  const [result] = gate(candidate, baseline, [{ ...threshold, metric }], metrics).thresholds;
  return result as ThresholdResult;
}

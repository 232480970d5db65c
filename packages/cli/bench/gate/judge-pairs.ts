/**
 * The figures of the bench for one load and kind of pairs: what gates drawn from them decide, and what the fixed rule
 * decides on the same data.
 */
import { median, pairedShift } from '@topo-bench/stats';
import { type DrawnGate, independentGates, resampledGates, roundsOf } from './draw-gates.ts';
import { againstLastRun, type FixedRule } from './fixed-rule.ts';
import type { Kind, Load, StoredPair } from './stored-pairs.ts';

/**
 * Rounds that the figures should rest on: enough for about twenty independent gates of equal sides, and a few of slower
 * ones.
 */
export const wanted: Record<Kind, number> = { same: 150, slower: 50 };
const resamples = 400;

export interface Gates {
  gates: number;
  failed: number;
  undecided: number;
  meanPairs: number;
  maxPairs: number;
}

export interface Row {
  load: Load;
  kind: Kind;
  rounds: number;
  /** Pairs that are invalid, or of a saturated host. */
  leftOut: number;
  /** Absent without any usable pair. */
  figures?: Figures;
}

export interface Figures {
  /** Change of the cells that are slower, or of all where none is, with its 95% interval. */
  changePercent: number;
  interval: [low: number, high: number];
  /** Median distance of a pair's change from that of its cell. */
  spreadPercent: number;
  resampled: Gates;
  /** No two of them share a round. */
  independent: Gates;
  /** Number of independent gates: those that failed in the cell that is slower, and in no other. */
  foundTheCell: number;
  /** Where there is one cell. */
  fixed?: FixedRule;
}

export function judgePairs(stored: readonly StoredPair[], load: Load, kind: Kind): Row {
  const all = stored.filter((pair) => pair.load === load && pair.kind === kind);
  const usable = all.filter((pair) => pair.usable);
  const counts = { load, kind, rounds: roundsOf(all).length, leftOut: all.length - usable.length };
  return usable.length === 0 ? counts : { ...counts, figures: figuresOf(all, usable) };
}

function figuresOf(all: readonly StoredPair[], usable: readonly StoredPair[]): Figures {
  const logOf = ({ baselineUs, candidateUs }: StoredPair): number => Math.log(candidateUs / baselineUs);
  const slower = usable.filter(({ cell }) => cell.endsWith('*'));
  const { estimate, interval } = pairedShift((slower.length > 0 ? slower : usable).map(logOf), 0.05);
  const cells = [...new Set(all.map(({ cell }) => cell))];
  const distances = cells.flatMap((cell) => {
    const changes = usable.filter((pair) => pair.cell === cell).map(logOf);
    const centre = median(changes);
    return changes.map((change) => Math.abs(change - centre));
  });
  const rounds = roundsOf(all);
  const independent = independentGates(rounds);
  return {
    changePercent: percent(estimate),
    interval: [percent(interval[0]), percent(interval[1])],
    spreadPercent: percent(median(distances)),
    resampled: countsOf(resampledGates(rounds, resamples)),
    independent: countsOf(independent),
    foundTheCell: independent.filter(({ failedCells: [only, ...more] }) => only?.endsWith('*') && more.length === 0)
      .length,
    ...(cells.length === 1 && { fixed: againstLastRun(usable) }),
  };
}

function countsOf(gates: readonly DrawnGate[]): Gates {
  const count = (verdict: DrawnGate['verdict']): number => gates.filter((one) => one.verdict === verdict).length;
  const pairs = gates.map((one) => one.pairs);
  return {
    gates: gates.length,
    failed: count('failed'),
    undecided: count('cannot tell'),
    meanPairs: pairs.reduce((sum, each) => sum + each, 0) / Math.max(1, pairs.length),
    maxPairs: Math.max(0, ...pairs),
  };
}

function percent(log: number): number {
  return 100 * Math.expm1(log);
}

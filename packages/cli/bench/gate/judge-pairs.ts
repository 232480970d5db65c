/** The figures of the bench for one kind of pairs: what gates drawn from them say, and what the fixed rule says of the same data. */
import { median } from '@topo-bench/stats/quantile';
import { pairedShift } from '@topo-bench/stats/rank-interval';
import { consecutiveGates, type DrawnGate, resampledGates } from './draw-gates.ts';
import { againstLastRun, type FixedRule } from './fixed-rule.ts';
import type { Kind, StoredPair } from './stored-pairs.ts';

/** Pairs that the figures should rest on. */
export const wanted: Record<Kind, number> = { same: 150, slower: 50 };
const resamples = 400;

export interface Gates {
  gates: number;
  failed: number;
  undecided: number;
  meanPairs: number;
  mostPairs: number;
}

export interface Row {
  kind: Kind;
  pairs: number;
  /** Invalid, or on a saturated host. */
  leftOut: number;
  /** Absent without any pair. */
  figures?: Figures;
}

export interface Figures {
  /** Of all pairs together, with its 95% interval. */
  changePercent: number;
  interval: [low: number, high: number];
  /** Median distance of a pair's change from that of all. */
  spreadPercent: number;
  resampled: Gates;
  consecutive: Gates;
  fixed: FixedRule;
}

export function judgePairs(stored: readonly StoredPair[], kind: Kind): Row {
  const all = stored.filter((pair) => pair.kind === kind);
  const pairs = all.filter(({ usable }) => usable);
  const counts = { kind, pairs: pairs.length, leftOut: all.length - pairs.length };
  return pairs.length === 0 ? counts : { ...counts, figures: figuresOf(pairs) };
}

function figuresOf(pairs: readonly StoredPair[]): Figures {
  const changes = pairs.map(({ baselineUs, candidateUs }) => Math.log(candidateUs / baselineUs));
  const { estimate, interval } = pairedShift(changes, 0.05);
  const distances = changes.map((change) => Math.abs(change - estimate));
  return {
    changePercent: percent(estimate),
    interval: [percent(interval[0]), percent(interval[1])],
    spreadPercent: percent(median(distances)),
    resampled: countsOf(resampledGates(pairs, resamples)),
    consecutive: countsOf(consecutiveGates(pairs)),
    fixed: againstLastRun(pairs),
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
    mostPairs: Math.max(0, ...pairs),
  };
}

function percent(log: number): number {
  return 100 * Math.expm1(log);
}

/**
 * Pairs of cells that differ only in the protocol, in TLS, or in the rules. The effect is the ratio of rows per second
 * (Hodges–Lehmann) with its exact rank interval. It is paired by round if there are enough rounds for a paired test.
 */
import { cellKey } from '@topo-bench/core';
import type { FactorLevels } from '@topo-bench/core/schema/result';
import { ratioOf } from '@topo-bench/study-kit/repetition-effect';
import type { TransferEntry } from '../parts.ts';
import type { TransferCell } from './transfer-cells.ts';

export { isBounded, isTold, ratioOf, repetitionsNeeded } from '@topo-bench/study-kit/repetition-effect';

export interface CellPair {
  baseline: TransferCell;
  candidate: TransferCell;
  /** Rows per second of the candidate divided by those of the baseline; NaN without repetitions of both. */
  estimate: number;
  /** Ends are 0 and ±∞ with too few repetitions. */
  interval: [low: number, high: number];
}

/** Flight compared with every other protocol, at the same levels of all other factors. */
export function protocolPairs(cells: readonly TransferCell[]): CellPair[] {
  return cells.flatMap((baseline) => {
    if (baseline.protocol === 'flight') return [];
    const candidate = cells.find(
      ({ protocol, levels }) => protocol === 'flight' && differOnlyIn(['protocol'], levels, baseline.levels),
    );
    return candidate ? [pairOf(baseline, candidate)] : [];
  });
}

/** The largest number of streams compared with the smallest, at the same levels of all other factors. */
export function streamPairs(cells: readonly TransferCell[]): CellPair[] {
  return cells.flatMap((baseline) => {
    const alike = cells.filter(({ levels }) => differOnlyIn(['streams'], levels, baseline.levels));
    const candidate = alike.toSorted((a, b) => b.streams - a.streams)[0];
    const isFewest = alike.every(({ streams }) => streams > baseline.streams);
    return candidate && isFewest ? [pairOf(baseline, candidate)] : [];
  });
}

const tlsFactor = /^tls$|\.flight\.tls\.enabled$/;

/** TLS compared with plain text, at the same levels of all other factors. */
export function tlsPairs(cells: readonly TransferCell[]): CellPair[] {
  return cells.flatMap((candidate) => {
    const factors = Object.keys(candidate.levels).filter((name) => tlsFactor.test(name));
    const isOn = ({ levels }: TransferCell): boolean => factors.some((name) => levels[name] === true);
    if (!isOn(candidate)) return [];
    const baseline = cells.find((cell) => !isOn(cell) && differOnlyIn(factors, cell.levels, candidate.levels));
    return baseline && candidate.protocol === 'flight' ? [pairOf(baseline, candidate)] : [];
  });
}

const ruleFactors = ['rules', 'topology.rules', 'rulesPerService', 'architecture'];

/** Every set of rules compared with the one with the fewest rules, at the same levels of all other factors. */
export function governancePairs(cells: readonly TransferCell[]): CellPair[] {
  return cells.flatMap((candidate) => {
    const alike = cells.filter(
      (cell) => differOnlyIn(ruleFactors, cell.levels, candidate.levels) && !Number.isNaN(rulesOf(cell)),
    );
    const [baseline] = [...alike].sort((a, b) => rulesOf(a) - rulesOf(b));
    return baseline && rulesOf(baseline) < rulesOf(candidate) ? [pairOf(baseline, candidate)] : [];
  });
}

/** Number of rules; −1 without enforcement, NaN without a measurement. */
export function rulesOf({ group: { valid, invalid } }: TransferCell): number {
  const [first] = [...valid, ...invalid].flatMap(({ flight }: TransferEntry) => flight ?? []);
  return first ? (first.governed?.rules ?? -1) : Number.NaN;
}

function differOnlyIn(names: readonly string[], a: FactorLevels, b: FactorLevels): boolean {
  const without = (levels: FactorLevels): FactorLevels =>
    Object.fromEntries(Object.entries(levels).filter(([name]) => !names.includes(name)));
  return cellKey(without(a)) === cellKey(without(b)) && cellKey(a) !== cellKey(b);
}

function pairOf(baseline: TransferCell, candidate: TransferCell): CellPair {
  return { baseline, candidate, ...ratioOf(baseline.rates, candidate.rates) };
}

/** Lost share of the throughput at this ratio: `12.3%`; a gain is negative: `−4.0%`. */
export function costText(ratio: number): string {
  return `${((1 - ratio) * 100).toFixed(1)}%`.replace('-', '−');
}

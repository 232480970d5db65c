/**
 * Foreign load in a comparison: which rounds can carry its verdict, and how much other programs may explain. What
 * decides is who had the processors, and the same rounds count on both sides, never the figures.
 */
import { counted } from '@topo-bench/core';
import { pairedShift, smallestRejectingN } from '@topo-bench/stats';
import type { CellRepetitions } from './cell-samples.ts';
import { roundDifferences } from './difference.ts';
import type { CellPair } from './match-cells.ts';
import type { Metric } from './metric.ts';

/** A difference over some rounds. */
export interface RoundsDifference {
  rounds: number;
  differencePercent: number;
  /** At 95%; infinite with fewer than six rounds. */
  intervalPercent: [low: number, high: number];
}

export interface ForeignLoad {
  /** Rounds, or repetitions of either side, in which other programs left the host no idle time. */
  full: number;
  /**
   * Use of full rounds. `left out`: the others carry the verdict. `shared`: levels took turns, so that other programs
   * met all of them. `decisive`: they leave too few rounds for a verdict.
   */
  use: 'left out' | 'shared' | 'decisive' | 'none';
  /** Rounds without foreign load, and those with it; only where levels are measured side by side, on a ratio scale. */
  without?: RoundsDifference;
  with?: RoundsDifference;
}

export interface JudgedPair {
  /** The pair with the rounds that carry the verdict. */
  pair: CellPair;
  foreign?: ForeignLoad;
}

/** As `judgedPair`, for pairs that are compared at once: once one has rounds enough for pairs, all need as many. */
export function judgedPairs(pairs: readonly CellPair[], metric: Metric, alpha: number): JudgedPair[] {
  const judged = pairs.map((pair) => judgedPair(pair, metric, alpha));
  const min = smallestRejectingN(alpha, { paired: true });
  const arePaired = judged.some(({ pair }) => pair.sideBySide && commonRounds(pair, metric) >= min);
  return arePaired ? pairs.map((pair) => judgedPair(pair, metric, alpha, pair.sideBySide)) : judged;
}

/**
 * Leaves out rounds that other programs filled, when enough other rounds remain.
 * @param alpha error rate of the comparison, two-sided
 * @param isPaired whether rounds are compared in pairs although the levels took no turns
 */
export function judgedPair(pair: CellPair, metric: Metric, alpha: number, isPaired = false): JudgedPair {
  const use = usable(pair, metric, alpha, isPaired);
  const loaded = flaggedRounds(pair);
  if (use.foreign.full === 0 && loaded.size === 0) return { pair };
  const isRatio = pair.sideBySide && metric.scale === 'ratio';
  return { pair: use.pair, foreign: { ...use.foreign, ...(isRatio && apart(pair, metric, loaded, alpha)) } };
}

function commonRounds({ baseline, candidate }: CellPair, metric: Metric): number {
  return roundDifferences(baseline, candidate, metric).size;
}

function usable(
  pair: CellPair,
  metric: Metric,
  alpha: number,
  isPaired: boolean,
): { pair: CellPair; foreign: ForeignLoad } {
  const [before, after] = [foreignIn(pair.baseline), foreignIn(pair.candidate)];
  const either = new Set([...before, ...after]);
  const full = pair.sideBySide ? either.size : before.size + after.size;
  const isUnaffected = metric.isQueueless || metric.isClosed?.(pair.factors);
  if (full === 0 || isUnaffected) return { pair, foreign: { full, use: 'none' } };
  const [baseline, candidate] = [
    withoutRounds(pair.baseline, pair.sideBySide ? either : before),
    withoutRounds(pair.candidate, pair.sideBySide ? either : after),
  ];
  const isInTurns = pair.sideBySide && [pair.baseline, pair.candidate].every(tookTurns);
  const others = { ...pair, baseline, candidate };
  const left = pair.sideBySide ? commonRounds(others, metric) : Math.min(baseline.valid.length, candidate.valid.length);
  if (left >= smallestRejectingN(alpha, { paired: isPaired || isInTurns })) {
    return { pair: others, foreign: { full, use: 'left out' } };
  }
  if (!isInTurns) return { pair, foreign: { full, use: 'decisive' } };
  const shared = { ...pair, baseline: withoutForeign(pair.baseline), candidate: withoutForeign(pair.candidate) };
  return { pair: shared, foreign: { full, use: 'shared' } };
}

function foreignIn({ full }: CellRepetitions): Set<number> {
  return new Set([...full].flatMap(([repetition, { isForeign }]) => (isForeign ? [repetition] : [])));
}

function withoutRounds(cell: CellRepetitions, rounds: ReadonlySet<number>): CellRepetitions {
  const full = new Map([...cell.full].filter(([repetition]) => !rounds.has(repetition)));
  return { ...cell, valid: cell.valid.filter(({ repetition }) => !rounds.has(repetition)), full };
}

/** All repetitions, without the remark that other programs filled the host. */
function withoutForeign(cell: CellRepetitions): CellRepetitions {
  return { ...cell, full: new Map([...cell.full].filter(([, { isForeign }]) => !isForeign)) };
}

function tookTurns({ valid }: CellRepetitions): boolean {
  return valid.length > 0 && valid.every(({ turns }) => turns !== undefined && turns.levels > 1);
}

/** Repetitions under foreign load on either side. */
function flaggedRounds({ baseline, candidate }: CellPair): Set<number> {
  const entries = [...baseline.valid, ...candidate.valid];
  return new Set(
    entries.filter(({ validity }) => validity.flags.includes('foreign-load')).map(({ repetition }) => repetition),
  );
}

function apart(
  pair: CellPair,
  metric: Metric,
  loaded: ReadonlySet<number>,
  alpha: number,
): Pick<ForeignLoad, 'with' | 'without'> {
  const differences = [...roundDifferences(pair.baseline, pair.candidate, metric)];
  const over = (isLoaded: boolean): RoundsDifference | undefined => {
    const values = differences.flatMap(([round, value]) => (loaded.has(round) === isLoaded ? [value] : []));
    return values.length === 0 ? undefined : differenceOver(values, alpha);
  };
  const [quiet, busy] = [over(false), over(true)];
  return { ...(quiet && { without: quiet }), ...(busy && { with: busy }) };
}

/** @param differences logarithms of candidate / baseline */
export function differenceOver(differences: readonly number[], alpha: number): RoundsDifference {
  const { estimate, interval } = pairedShift(differences, alpha);
  const [low, high] = interval;
  return {
    rounds: differences.length,
    differencePercent: 100 * Math.expm1(estimate),
    intervalPercent: [100 * Math.expm1(low), 100 * Math.expm1(high)],
  };
}

/** What became of rounds that other programs filled, one sentence without full stop for each use. */
export function foreignNotes(judged: readonly JudgedPair[]): string[] {
  const max = (use: ForeignLoad['use']): number =>
    Math.max(0, ...judged.map(({ foreign }) => (foreign?.use === use ? foreign.full : 0)));
  const [leftOut, shared] = [max('left out'), max('shared')];
  const filled = 'other programs left the host no idle time in';
  return [
    ...(leftOut > 0 ? [`${filled} up to ${counted(leftOut, 'round')}: the others carry the verdict`] : []),
    ...(shared > 0
      ? [`${filled} up to ${counted(shared, 'round')}, in which the sides took turns: sizes may differ without them`]
      : []),
  ];
}

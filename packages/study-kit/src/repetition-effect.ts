/**
 * Effects between two cells over their repetitions: the ratio or difference (Hodges–Lehmann) with its exact rank
 * interval. Both are paired by round if there are enough rounds for a paired test.
 */
import { type Estimate, pairDifferences, pairedRatio, pairedShift, ratio, shift } from '@topo-bench/stats';

export const alpha = 0.05;
/** The smallest two-sided p-value of n unpaired repetitions of each cell is 2 / C(2n, n). */
export const repetitionsNeeded = 4;
/** The smallest p-value of n pairs is 2 / 2^n. */
const pairsNeeded = 6;

/** Values by repetition. */
export type ByRepetition = ReadonlyMap<number, number>;

/**
 * The ratio of candidate to baseline.
 * @returns NaN without repetitions of both; the interval is 0 and ±∞ with too few repetitions
 */
export function ratioOf(baseline: ByRepetition, candidate: ByRepetition): Estimate {
  const none: Estimate = { estimate: Number.NaN, interval: [0, Number.POSITIVE_INFINITY] };
  return effectOf(baseline, candidate, none, ratio, pairedRatio);
}

/**
 * The candidate less the baseline.
 * @returns NaN without repetitions of both; the interval is ±∞ with too few repetitions
 */
export function differenceOf(baseline: ByRepetition, candidate: ByRepetition): Estimate {
  const none: Estimate = { estimate: Number.NaN, interval: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] };
  return effectOf(baseline, candidate, none, shift, (from, to, level) => pairedShift(pairDifferences(from, to), level));
}

type Effect = (baseline: number[], candidate: number[], alpha: number) => Estimate;

function effectOf(
  baseline: ByRepetition,
  candidate: ByRepetition,
  none: Estimate,
  unpaired: Effect,
  paired: Effect,
): Estimate {
  const [from, to] = [[...baseline.values()], [...candidate.values()]];
  if (from.length === 0 || to.length === 0) return none;
  const rounds = [...baseline.keys()].filter((repetition) => candidate.has(repetition));
  if (rounds.length < pairsNeeded) return unpaired(from, to, alpha);
  const inRounds = (values: ByRepetition): number[] => rounds.map((round) => values.get(round) as number);
  return paired(inRounds(baseline), inRounds(candidate), alpha);
}

/** Whether both ends of an interval are finite. */
export function isBounded({ interval: [low, high] }: Pick<Estimate, 'interval'>): boolean {
  return low > 0 && Number.isFinite(high);
}

/** Whether the interval of a ratio excludes 1. */
export function isTold({ interval: [low, high] }: Pick<Estimate, 'interval'>): boolean {
  return low > 1 || high < 1;
}

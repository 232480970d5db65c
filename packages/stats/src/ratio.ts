/**
 * Relative differences: shifts of logarithms, converted back to ratios. Twice as slow and twice as fast are equally
 * far.
 */
import { TopoBenchError } from '@topo-bench/core';
import { type Estimate, pairedShift, shift } from './rank-interval.ts';

/**
 * Hodges–Lehmann ratio candidate / baseline with its interval: `shift` on logarithms.
 * @param baseline values above 0, or +∞
 * @param candidate values above 0, or +∞
 * @throws TopoBenchError `TB_STATS_INPUT`
 */
export function ratio(baseline: ArrayLike<number>, candidate: ArrayLike<number>, alpha: number): Estimate {
  return fromLogarithms(shift(logarithms(baseline, 'ratio'), logarithms(candidate, 'ratio'), alpha));
}

/** The same for pairs, formed by the i-th values of both sides: `pairedShift` on logarithms. */
export function pairedRatio(baseline: ArrayLike<number>, candidate: ArrayLike<number>, alpha: number): Estimate {
  const from = logarithms(baseline, 'pairedRatio');
  return fromLogarithms(pairedShift(pairDifferences(from, logarithms(candidate, 'pairedRatio')), alpha));
}

/**
 * candidate − baseline of each pair; NaN where both are unfinished.
 * @throws TopoBenchError `TB_STATS_INPUT` when the sides differ in length
 */
export function pairDifferences(baseline: ArrayLike<number>, candidate: ArrayLike<number>): Float64Array {
  if (baseline.length !== candidate.length) {
    throw new TopoBenchError(
      'TB_STATS_INPUT',
      `pairs: got ${baseline.length} and ${candidate.length} values, expected the same number on both sides`,
    );
  }
  return Float64Array.from(baseline, (value, i) => (candidate[i] as number) - value);
}

/** @throws TopoBenchError `TB_STATS_INPUT` unless all values are above 0 */
export function logarithms(values: ArrayLike<number>, statistic: string): Float64Array {
  return Float64Array.from(values, (value, i) => {
    if (value > 0) return Math.log(value);
    throw new TopoBenchError(
      'TB_STATS_INPUT',
      `${statistic}: value ${i} is ${value}, expected a number above 0 for a relative difference`,
    );
  });
}

function fromLogarithms({ estimate, interval: [low, high] }: Estimate): Estimate {
  return { estimate: Math.exp(estimate), interval: [Math.exp(low), Math.exp(high)] };
}

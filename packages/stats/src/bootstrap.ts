/**
 * Bootstrap interval for the difference of any statistic of two sets, for where no rank method applies (a difference of p99s, say). Its
 * confidence is approximate: for medians of 5 to 20 values a side 91 to 98% where 95% was asked for, as the coverage test prints.
 */
import type { RandomStream } from '@topo-bench/core';
import { normalCdf, normalQuantile } from '@topo-bench/core/normal-distribution';
import { requireBetween, requireSome } from './input.ts';
import { quantileOfSorted } from './quantile.ts';
import type { Estimate } from './rank-interval.ts';

export type Statistic = (values: Float64Array) => number;

export interface BootstrapOptions {
  statistic: Statistic;
  alpha: number;
  random: RandomStream;
  /** Resamples; default 2000. */
  resamples?: number;
}

/**
 * statistic(candidate) − statistic(baseline) with its BCa interval (bias-corrected and accelerated).
 * Source: Efron, J. Am. Stat. Assoc. 82 (1987) 171–185; acceleration of two sets by their jackknife influence as in Davison & Hinkley,
 * Bootstrap Methods and their Application (1997), section 5.3.
 * @throws TopoBenchError `TB_STATS_INPUT`
 */
export function bootstrapDifference(
  baseline: ArrayLike<number>,
  candidate: ArrayLike<number>,
  { statistic, alpha, random, resamples = 2000 }: BootstrapOptions,
): Estimate {
  requireBetween(alpha, 0, 1, 'alpha');
  const sets = [Float64Array.from(baseline), Float64Array.from(candidate)] as const;
  for (const set of sets) requireSome(set, 'bootstrapDifference');
  const [a, b] = sets;
  const estimate = statistic(b) - statistic(a);
  const drawn: readonly [Float64Array, Float64Array] = [new Float64Array(a.length), new Float64Array(b.length)];
  const replicates = new Float64Array(resamples);
  for (let i = 0; i < resamples; i++) {
    resample(a, drawn[0], random);
    resample(b, drawn[1], random);
    replicates[i] = statistic(drawn[1]) - statistic(drawn[0]);
  }
  replicates.sort();
  const bias = normalQuantile(shareBelow(replicates, estimate));
  const acceleration = accelerationOf(a, b, statistic);
  const end = (tail: number): number => {
    const z = bias + normalQuantile(tail);
    const corrected = normalCdf(bias + z / (1 - acceleration * z));
    // All replicates on one side of the estimate leave nothing to correct by.
    return quantileOfSorted(replicates, Number.isNaN(corrected) ? tail : corrected);
  };
  return { estimate, interval: [end(alpha / 2), end(1 - alpha / 2)] };
}

function resample(from: Float64Array, into: Float64Array, random: RandomStream): void {
  for (let i = 0; i < into.length; i++) into[i] = from[random.integer(from.length)] as number;
}

/** Share of sorted replicates below the estimate, equal ones half. */
function shareBelow(sorted: Float64Array, estimate: number): number {
  let below = 0;
  for (const replicate of sorted) below += replicate < estimate ? 1 : replicate === estimate ? 0.5 : 0;
  return below / sorted.length;
}

function accelerationOf(a: Float64Array, b: Float64Array, statistic: Statistic): number {
  let cubes = 0;
  let squares = 0;
  for (const [set, sign] of [
    [a, -1],
    [b, 1],
  ] as const) {
    const without = Array.from(set, (_, i) => statistic(set.filter((_value, j) => j !== i)));
    const mean = without.reduce((sum, value) => sum + value, 0) / set.length;
    for (const value of without) {
      const influence = (sign * (set.length - 1) * (mean - value)) / set.length;
      cubes += influence ** 3;
      squares += influence ** 2;
    }
  }
  return squares > 0 ? cubes / (6 * squares ** 1.5) : 0;
}

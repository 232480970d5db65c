/**
 * Tables of the laws that draw per event. Their quantiles and curves come from portable functions, so a seed has the
 * same figures in every engine.
 */
import { exponential, naturalLog, normalQuantile } from '@topo-bench/core';

const quantiles = 4096;

/** 4096 quantiles of a law, in the middle of equal shares, scaled to the exact mean. */
function table(mean: number, quantile: (p: number) => number): Float64Array {
  const values = Float64Array.from({ length: quantiles }, (_, i) => quantile((i + 0.5) / quantiles));
  const sum = values.reduce((total, value) => total + value, 0);
  return values.map((value) => (value * mean * quantiles) / sum);
}

/** Lognormal of mean 1. @param sigma of the logarithm */
export function lognormalTable(sigma: number): Float64Array {
  return table(1, (p) => exponential(sigma * normalQuantile(p)));
}

/** Exponential of mean 1. */
export const exponentialTable: Readonly<Float64Array> = table(1, (p) => -naturalLog(1 - p));

/** Steps of a decay per unit, and the units after which it is 0. */
const steps = 64;
const units = 16;

const decays = Float64Array.from({ length: steps * units }, (_, i) => exponential(-i / steps));

/** e^−x for x of 0 or more, in steps of 1/64. */
export function decay(x: number): number {
  return x < units ? (decays[(x * steps) | 0] as number) : 0;
}

export const tableSize = quantiles;

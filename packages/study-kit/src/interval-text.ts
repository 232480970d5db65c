/** Estimates and their 95% intervals as the texts of tables. */
import { medianInterval } from '@topo-bench/comparison';
import { missing } from '@topo-bench/report';
import type { Estimate } from '@topo-bench/stats';
import { alpha, type ByRepetition, isBounded } from './repetition-effect.ts';

type Format = (value: number) => string;

/** `1.2× to 1.4×`; the interval of a ratio is unknown with an end of 0 or ∞. */
export function intervalText(estimate: Pick<Estimate, 'interval'>, format: Format): string {
  return isBounded(estimate) ? endsText(estimate.interval, format) : 'unknown';
}

/** Interval of the median over repetitions. */
export function medianIntervalText(values: ByRepetition, format: Format): string {
  const interval = medianInterval([...values.values()], alpha);
  return interval.every(Number.isFinite) ? endsText(interval, format) : 'unknown';
}

/** A ratio as a change: `−3.1%`. */
export function percentText(ratio: number): string {
  if (!Number.isFinite(ratio)) return missing;
  const percent = (ratio - 1) * 100;
  return `${percent < 0 ? '−' : '+'}${Math.abs(percent).toFixed(1)}%`;
}

function endsText([low, high]: readonly [number, number], format: Format): string {
  return `${format(low)} to ${format(high)}`;
}

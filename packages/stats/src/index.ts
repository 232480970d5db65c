/** Summaries, quantiles, and the comparison of repetitions. */
export * from './compare-samples.ts';
export * from './holm.ts';
export * from './mann-whitney.ts';
export * from './max-t.ts';
export * from './median-interval.ts';
export * from './quantile.ts';
export { type Estimate, pairedShift, shift } from './rank-interval.ts';

export * from './ratio.ts';
export * from './sample-size.ts';
export * from './signed-rank.ts';
export * from './student.ts';
export * from './summary.ts';
export * from './trend-slope.ts';

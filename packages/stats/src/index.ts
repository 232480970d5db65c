/** Summaries, histograms, quantiles, and the comparison of repetitions. */
export * from './quantile.ts';
export * from './summary.ts';

/** Predictions against measurements. */
export { baselinesOf } from './baselines.ts';
export * from './judge-predictions.ts';

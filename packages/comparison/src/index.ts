/** Compares two runs, or two levels within a run, and judges a run by thresholds. */

export { medianInterval } from '@topo-bench/stats';
export * from './bottleneck.ts';
export * from './break-even.ts';
export { cellLines } from './cell-detection.ts';
export { eventMetricNames } from './common-metrics.ts';
export * from './compare.ts';
export * from './compare-cells.ts';
export * from './cost-of-rounds.ts';
export * from './design.ts';
export { isFailing } from './failing-cells.ts';
export type { ForeignLoad, RoundsDifference } from './foreign-rounds.ts';
export * from './format-value.ts';
export * from './further-repetitions.ts';
export * from './gate.ts';
export * from './gate-result.ts';
export * from './json.ts';
export * from './knee.ts';
export * from './level-effects.ts';
export { defaultReference } from './match-cells.ts';
export type { MetricUnit } from './metric.ts';
export * from './metric-table.ts';
export * from './pairs-needed.ts';
export * from './profiles/compare-profiles.ts';
export { profileHeading, profileLines } from './profiles/profile-sentences.ts';
export {
  minSelfTestRounds,
  type SelfTest,
  type SelfTestRow,
  selfTest,
} from './self-test.ts';
export * from './sensitivity-sentences.ts';
export { setupChanges } from './setup-differences.ts';
export * from './threshold.ts';

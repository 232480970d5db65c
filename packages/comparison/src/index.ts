/** Compares two runs, or two levels within a run, and judges a run by thresholds. */
export { cellLines } from './cell-detection.ts';
export * from './compare.ts';
export * from './compare-cells.ts';
export * from './format-value.ts';
export * from './gate.ts';
export * from './gate-result.ts';
export * from './json.ts';
export { defaultReference } from './match-cells.ts';
export * from './median-interval.ts';
export { higher, isSpeed, lower, type Metric, type MetricRows, type MetricUnit } from './metric.ts';
export * from './metric-table.ts';
export * from './pairs-needed.ts';
export * from './threshold.ts';
export * from './what-could-be-seen.ts';

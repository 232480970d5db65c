/** Which of two runs, or of two levels inside a run, is faster; and whether a threshold holds. */
export * from './annotations.ts';
export * from './baselines.ts';
export { cellLines } from './cell-detection.ts';
export * from './compare.ts';
export * from './compare-cells.ts';
export * from './format-value.ts';
export * from './gate.ts';
export * from './gate-markdown.ts';
export * from './gate-result.ts';
export * from './json.ts';
export * from './junit.ts';
export * from './markdown-text.ts';
export * from './metric.ts';
export * from './metrics.ts';
export * from './pairs-needed.ts';
export * from './smallest-difference.ts';
export * from './threshold.ts';
export * from './what-could-be-seen.ts';

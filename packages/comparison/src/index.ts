/** Which of two runs, or of two levels inside a run, is faster; and whether a threshold holds. */
export * from './compare.ts';
export * from './compare-cells.ts';
export * from './format-value.ts';
export * from './json.ts';
export * from './markdown-text.ts';
export * from './metric.ts';
export * from './metrics.ts';
export * from './what-could-be-seen.ts';

/** Verdicts over two runs, and two sides that are measured for one. */
export * from './gate-thresholds.ts';
export * from './pairing.ts';
export type { ProfileWhen } from './profiles.ts';
export * from './progress.ts';

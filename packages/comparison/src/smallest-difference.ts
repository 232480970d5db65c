/** The smallest difference that thresholds ask for. */
import type { Threshold } from './threshold.ts';

/** As a share of the baseline; +∞ when no threshold is relative. */
export function smallestDifference(thresholds: readonly Threshold[]): number {
  return Math.min(...thresholds.filter(({ kind }) => kind === 'relative').map(({ limit }) => Math.abs(limit - 1)));
}

/**
 * Claims of published studies, tested with the repetitions of a run. A claim has one effect for each repetition, and an
 * exact signed-rank interval contains their centre with 95% confidence.
 */
import { type Estimate, pairedShift, signedRank } from '@topo-bench/stats';
import { alpha } from './repetition-effect.ts';

/** Two-sided, 2 / 2^n is the smallest p-value of n repetitions. */
export const roundsNeeded = 6;

export type FindingVerdict = 'confirmed' | 'refuted' | 'undecided';

export interface Claim {
  text: string;
  /** Logarithms of ratios, by repetition; above 0 supports the claim. */
  effects: number[];
}

/**
 * Confirmed if every claim is shown, refuted if the reverse of one is shown, and undecided otherwise. A claim, or its
 * reverse, is shown where the two-sided interval at 1 − α has no effect; with more than two claims, the level of the
 * reverse is α divided by their number.
 */
export function verdictOf(claims: readonly Claim[]): FindingVerdict {
  if (claims.length === 0) return 'undecided';
  const reversed = claims.some(
    ({ effects }) => signedRank(effects, 'less').pValue < alpha / Math.max(2, claims.length),
  );
  if (reversed) return 'refuted';
  const shown = claims.every(({ effects }) => signedRank(effects, 'greater').pValue < alpha / 2);
  return shown ? 'confirmed' : 'undecided';
}

/** The ratio with its 95% interval; `rounds` below `roundsNeeded` give no interval. */
export function claimRatio({ effects }: Claim): Estimate & { rounds: number } {
  const { estimate, interval } = pairedShift(effects, alpha);
  const [low, high] = interval.map(Math.exp) as [number, number];
  return { estimate: Math.exp(estimate), interval: [low, high], rounds: effects.length };
}

/** `connector-process takes longer than native: × 2.41 (95% interval 2.30 to 2.52; 8 rounds)` */
export function claimText(claim: Claim): string {
  const { estimate, interval, rounds } = claimRatio(claim);
  const within =
    rounds < roundsNeeded
      ? `${rounds} of ${roundsNeeded} rounds that an interval needs`
      : `95% interval ${interval[0].toFixed(2)} to ${interval[1].toFixed(2)}; ${rounds} rounds`;
  return `${claim.text}: × ${estimate.toFixed(2)} (${within})`;
}

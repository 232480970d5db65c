/** What comparisons of cells without an interval need, as the sentence under them. */
import { type CostOfRounds, furtherText } from '@topo-bench/comparison';
import { type ByRepetition, repetitionsNeeded } from './repetition-effect.ts';

/** @param figures of each cell; empty where all have enough */
export function intervalNeeds(figures: readonly ByRepetition[], cost: CostOfRounds): string[] {
  const fewest = Math.min(...figures.map(({ size }) => size));
  if (fewest >= repetitionsNeeded) return [];
  const further = furtherText(repetitionsNeeded, fewest, cost);
  return [`An interval needs ${repetitionsNeeded} valid repetitions of both cells${further}.`];
}

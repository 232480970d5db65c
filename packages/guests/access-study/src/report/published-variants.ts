/** The variants of a run that stand for the letters of the published study, and claims about two of them. */
import type { Claim } from '@topo-bench/study-kit/published-claims';
import { variantParts } from '../variants.ts';
import { type AccessCell, levelsOf } from './access-cells.ts';

export type Letter = 'A' | 'B' | 'C' | 'D';

/** The published place first. */
const places: Readonly<Record<Letter, readonly string[]>> = {
  A: ['native'],
  B: ['connector-container', 'connector-process'],
  C: ['connector-pod'],
  D: ['flight-pod', 'flight-container', 'flight-process'],
};

/** Measured variants in the order of letters, one for each. */
export function publishedVariants(cells: readonly AccessCell[]): Map<Letter, string> {
  const measured = new Set(cells.map(({ variant }) => variant));
  return new Map(
    (Object.entries(places) as [Letter, readonly string[]][]).flatMap(([letter, variants]) => {
      const found = variants.find((variant) => measured.has(variant));
      return found === undefined ? [] : [[letter, found] as const];
    }),
  );
}

/** Whether the run has any variant of the published study next to the native driver. */
export function hasPublishedVariants(cells: readonly AccessCell[]): boolean {
  const letters = new Set(cells.map(({ variant }) => variantParts[variant as keyof typeof variantParts]?.letter));
  return letters.has('A') && ['B', 'C', 'D'].some((letter) => letters.has(letter));
}

/**
 * The claim that a variant takes longer than another. A repetition yields one number: the mean logarithm, over the
 * volumes, of the ratio of times.
 * @param cells of one source, query and combination of options
 * @returns none where a variant was not measured
 */
export function slower(cells: readonly AccessCell[], slow: string | undefined, fast: string | undefined): Claim[] {
  if (fast === undefined || slow === undefined || fast === slow) return [];
  const at = (variant: string, volume: number): AccessCell | undefined =>
    cells.find((cell) => cell.variant === variant && cell.volume === volume);
  const shared = levelsOf(cells, 'volume').filter((volume) => at(fast, volume) && at(slow, volume));
  const rounds = [...(at(fast, shared[0] ?? Number.NaN)?.durations.keys() ?? [])];
  const effects = rounds.flatMap((round) => {
    const timeOf = (variant: string, volume: number) => at(variant, volume)?.durations.get(round) ?? Number.NaN;
    const logs = shared.map((volume) => Math.log(timeOf(slow, volume) / timeOf(fast, volume)));
    const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
    return Number.isFinite(mean) ? [mean] : [];
  });
  return effects.length === 0 ? [] : [{ text: `${slow} takes longer than ${fast}`, effects }];
}

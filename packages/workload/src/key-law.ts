/** Popularity of keys: uniform or Zipfian. */
import { hash32, type RandomStream } from '@topo-bench/core';

export const keyLaws = ['uniform', 'zipfian'] as const;
export type KeyLaw = (typeof keyLaws)[number];

/**
 * Draws keys 0…count − 1.
 *
 * `zipfian`: the key of rank r is requested in proportion to 1 / r^skew. Drawn in constant time (Gray et al., "Quickly
 * generating billion-record synthetic databases", SIGMOD 1994, as in YCSB). A hash distributes ranks over the keys:
 * popular keys are then not adjacent in the store. Two ranks may have the same key.
 * @param skew above 0, below 1; only for `zipfian`
 */
export function keyLaw(law: KeyLaw, count: number, skew: number): (random: RandomStream) => number {
  if (law === 'uniform' || count < 3) return (random) => random.integer(count);
  const zetaOf = (n: number): number =>
    Array.from({ length: n }).reduce<number>((sum, _, i) => sum + 1 / (i + 1) ** skew, 0);
  const zetaAll = zetaOf(count);
  const alpha = 1 / (1 - skew);
  const eta = (1 - (2 / count) ** (1 - skew)) / (1 - zetaOf(2) / zetaAll);
  const rankOf = (random: RandomStream): number => {
    const uniform = random.uniform();
    const scaled = uniform * zetaAll;
    if (scaled < 1) return 0;
    if (scaled < 1 + 0.5 ** skew) return 1;
    return Math.min(count - 1, Math.floor(count * (eta * uniform - eta + 1) ** alpha));
  };
  return (random) => hash32(String(rankOf(random))) % count;
}

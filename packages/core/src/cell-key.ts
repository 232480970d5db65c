/** Names of cells and of their repetitions, as keys of maps: the order in which factors are written does not matter. */
import type { FactorLevels } from './schema/result.ts';

/** Equal for equal levels; the level 1 is another one than `'1'`. */
export function cellKey(levels: FactorLevels): string {
  return JSON.stringify(Object.entries(levels).sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function repetitionKey(levels: FactorLevels, repetition: number): string {
  return `[${cellKey(levels)},${repetition}]`;
}

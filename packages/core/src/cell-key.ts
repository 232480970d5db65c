/** Keys of cells and repetitions for maps. The order of factors does not matter. */
import type { FactorLevels } from './schema/result.ts';

/** Equal levels have equal keys; the levels 1 and `'1'` have different keys. */
export function cellKey(levels: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(Object.entries(levels).sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function repetitionKey(levels: FactorLevels, repetition: number): string {
  return `[${cellKey(levels)},${repetition}]`;
}

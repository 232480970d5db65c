/** Groups of cells that are compared with each other: they differ in one factor only. */
import { cellKey, isQuestion } from '@topo-bench/core';
import type { FactorLevels } from '@topo-bench/core/schema/result';

/**
 * The factor that a report compares: the architecture if it varies, else the first factor that varies, settings such as
 * the rate last.
 */
export function comparedFactor(cells: readonly FactorLevels[]): string | undefined {
  const varying = Object.keys(cells[0] ?? {}).filter(
    (factor) => new Set(cells.map((levels) => levels[factor])).size > 1,
  );
  return varying.includes('architecture') ? 'architecture' : (varying.find(isQuestion) ?? varying[0]);
}

/** Groups cells by their levels of all factors but the compared one: the number of its group, by the key of a cell. */
export function comparisons(cells: readonly FactorLevels[]): ReadonlyMap<string, number> {
  const compared = comparedFactor(cells);
  const groups = new Map<string, number>();
  const groupOf = (levels: FactorLevels): number => {
    const key = JSON.stringify(Object.entries(levels).filter(([factor]) => factor !== compared));
    if (!groups.has(key)) groups.set(key, groups.size);
    return groups.get(key) as number;
  };
  return new Map(cells.map((levels) => [cellKey(levels), groupOf(levels)]));
}

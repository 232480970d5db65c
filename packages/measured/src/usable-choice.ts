/** The choice of levels that leaves out the cells that this machine cannot measure, and as few others as possible. */
import { cellKey, type FactorLevel } from '@topo-bench/core';
import type { ExperimentCell } from '@topo-bench/trial';

type Given = Pick<ExperimentCell, 'given'>;

/** Combinations to try, over all factors but one. */
const maxCombinations = 2 ** 14;

/**
 * @returns flags as `--only database=redis,mysql`; empty where no choice has a usable cell and no other, and where all
 *   cells are usable
 */
export function usableChoice<Cell extends Given>(cells: readonly Cell[], isUsable: (cell: Cell) => boolean): string[] {
  const factors = decidingFactors(cells, isUsable);
  // The levels of one factor are decided one by one, so it is the one with the most.
  const [last, ...others] = [...factors].sort((a, b) => levelsOf(cells, b).length - levelsOf(cells, a).length);
  if (last === undefined) return [];
  const combinations = others.reduce((product, factor) => product * 2 ** levelsOf(cells, factor).length, 1);
  if (combinations > maxCombinations) return [];
  let best: { kept: number; choice: ReadonlyMap<string, readonly FactorLevel[]> } = { kept: 0, choice: new Map() };
  for (const choice of choicesOf(cells, others)) {
    const own = cells.filter(({ given }) => [...choice].every(([factor, levels]) => has(levels, given[factor])));
    const usable = levelsOf(own, last).filter((level) => {
      const ofLevel = own.filter(({ given }) => given[last] === level);
      return ofLevel.length > 0 && ofLevel.every(isUsable);
    });
    const kept = own.filter(({ given }) => has(usable, given[last])).length;
    if (kept > best.kept) best = { kept, choice: new Map([...choice, [last, usable]]) };
  }
  return factors.flatMap((factor) => {
    const levels = best.choice.get(factor);
    return levels === undefined || levels.length === levelsOf(cells, factor).length
      ? []
      : [`--only ${factor}=${levels.join(',')}`];
  });
}

/** Factors with levels of which one is usable where another is not. */
function decidingFactors<Cell extends Given>(cells: readonly Cell[], isUsable: (cell: Cell) => boolean): string[] {
  return Object.keys(cells[0]?.given ?? {}).filter((factor) => {
    const seen = new Map<string, boolean>();
    return cells.some((cell) => {
      const { [factor]: _level, ...rest } = cell.given;
      const key = cellKey(rest);
      const first = seen.get(key) ?? isUsable(cell);
      seen.set(key, first);
      return first !== isUsable(cell);
    });
  });
}

function levelsOf(cells: readonly Given[], factor: string): FactorLevel[] {
  return [...new Set(cells.flatMap(({ given }) => given[factor] ?? []))];
}

function has(levels: readonly FactorLevel[], level: FactorLevel | undefined): boolean {
  return level !== undefined && levels.includes(level);
}

/** Every combination of subsets of the levels, from all levels to single ones. */
function* choicesOf(
  cells: readonly Given[],
  [factor, ...others]: readonly string[],
): Generator<ReadonlyMap<string, readonly FactorLevel[]>> {
  if (factor === undefined) return yield new Map();
  const levels = levelsOf(cells, factor);
  for (let bits = 2 ** levels.length - 1; bits > 0; bits--) {
    const subset = levels.filter((_, at) => (bits >> (levels.length - 1 - at)) & 1);
    for (const rest of choicesOf(cells, others)) yield new Map([[factor, subset], ...rest]);
  }
}

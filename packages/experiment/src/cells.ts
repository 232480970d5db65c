/** The cells of an experiment: every combination of factor levels, narrowed by `--only`. */
import { type FactorLevel, factorNamed, TopoBenchError } from '@topo-bench/core';
import type { FactorLevels } from '@topo-bench/core/schema/result';

/**
 * Levels to keep, by any name of the factor. They are compared as text: `services=5` from a command line equals the
 * number 5.
 */
export type Only = Readonly<Record<string, readonly string[]>>;

/** All combinations in file order, the last factor varying fastest. No factors: one cell without levels. */
export function factorialCells(factors: Readonly<Record<string, readonly FactorLevel[]>>): FactorLevels[] {
  let cells: FactorLevels[] = [{}];
  for (const [factor, levels] of Object.entries(factors)) {
    cells = cells.flatMap((cell) => levels.map((level) => ({ ...cell, [factor]: level })));
  }
  return cells;
}

/**
 * Cells whose levels are among the selected ones.
 * @throws TopoBenchError `TB_EXPERIMENT_UNKNOWN_LEVEL` when a factor or level of `only` occurs in no cell
 */
export function narrowCells(cells: readonly FactorLevels[], only: Only): FactorLevels[] {
  const wantedOf: Record<string, readonly string[]> = {};
  for (const [name, wanted] of Object.entries(only)) {
    const factor = factorNamed(name, Object.keys(cells[0] ?? {}));
    if (factor === undefined) {
      throw new TopoBenchError(
        'TB_EXPERIMENT_UNKNOWN_LEVEL',
        `--only names the factor ${JSON.stringify(name)}, which does not vary`,
        {
          hint: `factors of this experiment: ${Object.keys(cells[0] ?? {}).join(', ') || 'none'}`,
        },
      );
    }
    const known = [...new Set(cells.map((cell) => String(cell[factor])))];
    const unknown = wanted.find((level) => !known.includes(level));
    if (unknown !== undefined) {
      throw new TopoBenchError('TB_EXPERIMENT_UNKNOWN_LEVEL', `${name} has no level ${JSON.stringify(unknown)}`, {
        hint: unknown.includes('=')
          ? `another factor has a flag of its own: --only ${unknown}`
          : `levels of ${name}: ${known.join(', ')}`,
      });
    }
    wantedOf[factor] = wanted;
  }
  return cells.filter((cell) =>
    Object.entries(wantedOf).every(([factor, wanted]) => wanted.includes(String(cell[factor]))),
  );
}

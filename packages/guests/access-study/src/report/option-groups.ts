/**
 * Cells that may be compared: alike in every option that both variants have. A variant without an option is measured
 * once, and that cell stands for every level of the option.
 */
import { cellKey } from '@topo-bench/core';
import type { FactorLevels } from '@topo-bench/core/schema/result';
import type { Access, AccessVariant } from '../settings-schema.ts';
import { hasOption } from '../variants.ts';
import { type AccessCell, ownFactors } from './access-cells.ts';

export interface OptionGroup {
  /** Levels of the options in words; empty where no option varies. */
  options: string;
  /** No two of them have the same source, volume, query and variant. */
  cells: AccessCell[];
}

/** One for every combination of options that was measured. */
export function optionGroups(cells: readonly AccessCell[]): OptionGroup[] {
  const byOptions = new Map(cells.map((cell) => [cellKey(optionsOf(cell.levels)), cell]));
  return [...byOptions.values()].map((one) => ({
    options: one.others,
    cells: cells.filter((cell) => optionNames(cell).every((name) => cell.levels[name] === one.levels[name])),
  }));
}

export function hasFactor(variant: string, name: string): boolean {
  return hasOption(variant as AccessVariant, name.replace(/^access\./, '') as keyof Access);
}

function optionNames({ levels, variant }: AccessCell): string[] {
  return Object.keys(optionsOf(levels)).filter((name) => hasFactor(variant, name));
}

function optionsOf(levels: FactorLevels): FactorLevels {
  return Object.fromEntries(Object.entries(levels).filter(([name]) => !ownFactors.includes(name)));
}

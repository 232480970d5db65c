/** The left-hand columns of every table in the terminal: the levels of the factors that a row stands for. */
import { describeLevel, factorHeading } from '@topo-bench/core';
import type { FactorLevels } from '@topo-bench/core/schema/result';
import { missing } from '../figure-text.ts';
import type { Factor, Level } from '../model/factors.ts';
import { printable } from './text.ts';
import type { Column } from './text-table.ts';

/** A factor with one level is said once, in the title; the architecture always has its column. */
export function shownFactors(factors: readonly Factor[]): readonly Factor[] {
  const shown = factors.filter(({ name, levels }) => levels.length > 1 || name === 'architecture');
  return shown.length > 0 ? shown : factors;
}

/** The others, for the title: `100 req/s`, `5 services`. */
export function fixedLevels(factors: readonly Factor[]): string[] {
  const shown = shownFactors(factors);
  return factors
    .filter((factor) => !shown.includes(factor))
    .map(({ name, levels }) => printable(describeLevel(name, levels[0] as Level)));
}

export function factorColumns(factors: readonly Factor[]): Column[] {
  return factors.map(({ name, levels }) => ({
    heading: printable(factorHeading(name)),
    align: levels.every((level) => typeof level === 'number') ? 'right' : 'left',
  }));
}

/** Levels that the row above has too stay blank, so that groups are seen at a glance. */
export function factorTexts(
  factors: readonly Factor[],
  row: { factors: FactorLevels },
  above: { factors: FactorLevels } | undefined,
): string[] {
  const firstNew = factors.findIndex(({ name }) => above?.factors[name] !== row.factors[name]);
  return factors.map(({ name }, at) => (at < firstNew ? '' : printable(String(row.factors[name] ?? missing))));
}

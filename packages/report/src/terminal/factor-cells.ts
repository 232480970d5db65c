/** The left-hand columns of every table in the terminal: the factor levels of a row. */
import { describeLevel, factorHeading } from '@topo-bench/core';
import type { FactorLevels } from '@topo-bench/core/schema/result';
import { missing } from '../figure-text.ts';
import type { Factor, Level } from '../model/factors.ts';
import { printable } from './text.ts';
import type { Column } from './text-table.ts';

/** Factors with a column. A factor with one level is in the title instead, except for the architecture. */
export function shownFactors(factors: readonly Factor[]): readonly Factor[] {
  const shown = factors.filter(({ name, levels }) => levels.length > 1 || name === 'architecture');
  return shown.length > 0 ? shown : factors;
}

/** Levels of the factors without a column, for the title: `100 req/s`, `5 services`. */
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

/** Levels equal to those of the row above are blank, which makes groups visible. */
export function factorTexts(
  factors: readonly Factor[],
  row: { factors: FactorLevels },
  above: { factors: FactorLevels } | undefined,
): string[] {
  const firstNew = factors.findIndex(({ name }) => above?.factors[name] !== row.factors[name]);
  const blank = firstNew < 0 && above ? factors.length : firstNew;
  return factors.map(({ name }, at) => (at < blank ? '' : printable(String(row.factors[name] ?? missing))));
}

/** A comparison in the terminal: a row per cell, then its limitations. */

import {
  type CellComparison,
  formatDifference,
  formatDifferenceInterval,
  formatValue,
  sensitivitySentences,
} from '@topo-bench/comparison';
import { counted } from '@topo-bench/core';
import { compareByFactors, type Factor, factorsOf } from '@topo-bench/report/model';
import {
  type Column,
  factorColumns,
  factorTexts,
  fixedLevels,
  printable,
  type Styles,
  shownFactors,
  stylesFor,
  textTable,
  withoutColumns,
} from '@topo-bench/report/terminal';
import type { ComparedRuns } from './compared-runs.ts';

const figureColumns: readonly Column[] = [
  { heading: 'baseline', align: 'right', dropOrder: 2 },
  { heading: 'candidate', align: 'right', dropOrder: 1 },
  { heading: 'difference', align: 'right' },
  { heading: '95% interval', align: 'right' },
  { heading: 'p (corrected)', align: 'right', dropOrder: 3 },
  { heading: 'reps', align: 'right', dropOrder: 4 },
  { heading: 'verdict', align: 'left' },
];

export function comparisonTable(
  { comparison, title }: ComparedRuns,
  { columns, colours }: { columns: number; colours: boolean },
): string {
  const styles = stylesFor(colours);
  const { metric, cells, notes, effect, cost } = comparison;
  const factors = factorsOf(cells);
  const shown = shownFactors(factors);
  const ordered = inReadingOrder(cells, factors);
  const rows = ordered.map((cell, at) => [
    ...factorTexts(shown, cell, ordered[at - 1]),
    formatValue(cell.baseline, metric.unit),
    formatValue(cell.candidate, metric.unit),
    formatDifference(cell, metric),
    formatDifferenceInterval(cell, metric),
    pText(cell.adjustedPValue),
    `${cell.repetitions.baseline.used}/${cell.repetitions.candidate.used}`,
    styledVerdict(cell, styles),
  ]);
  const table = textTable([...factorColumns(shown), ...figureColumns], rows, columns, styles.dim);
  return [
    styles.bold([`${printable(title)}: ${metric.name}`, ...fixedLevels(factors)].join(', ')),
    ...table.lines,
    ...withoutColumns(table).map(styles.dim),
    ...sensitivitySentences(cells, effect, cost).map(styles.dim),
    ...reasons(cells).map(styles.dim),
    ...notes.map((note) => styles.yellow(`note: ${printable(note)}`)),
  ].join('\n');
}

export function inReadingOrder(cells: readonly CellComparison[], factors: readonly Factor[]): CellComparison[] {
  return [...cells].sort((a, b) => compareByFactors(factors)(a.factors, b.factors));
}

/** A p-value with three decimals, or as an upper bound. */
export function pText(p: number): string {
  if (Number.isNaN(p)) return '–';
  return p < 0.001 ? '< 0.001' : p.toFixed(3);
}

/** Each reason for *cannot tell* once, with the number of cells. */
export function reasons(cells: readonly CellComparison[]): string[] {
  const counts = new Map<string, number>();
  for (const { reason } of cells) if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].map(([reason, count]) => `Cannot tell in ${counted(count, 'cell')}: ${reason}.`);
}

function styledVerdict({ verdict }: CellComparison, styles: Styles): string {
  if (verdict === 'slower' || verdict === 'worse') return styles.red(verdict);
  if (verdict === 'faster' || verdict === 'better') return styles.green(verdict);
  return verdict === 'cannot tell' ? styles.yellow(verdict) : verdict;
}

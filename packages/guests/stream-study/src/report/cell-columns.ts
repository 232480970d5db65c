/** Columns that name the cells of a stream study, the same in all of its tables. */
import { type RowCells, type StudyTable, textColumn } from '@topo-bench/report';
import type { StreamCell } from './stream-cells.ts';

/** `points/s`, or `per second` where cells process different things. */
export function rateHeading(cells: readonly StreamCell[]): string {
  const units = new Set(cells.map(({ unit }) => unit));
  return units.size === 1 ? `${[...units][0]}/s` : 'per second';
}

export function cellColumns(cells: readonly StreamCell[]): StudyTable['columns'] {
  return [
    textColumn('database'),
    textColumn('windows'),
    ...(cells.some(({ others }) => others !== '') ? [textColumn('options')] : []),
  ];
}

/** Rows that show one cell each. */
export function cellRows(cells: readonly StreamCell[]): RowCells[] {
  return cells.map(({ index }) => index);
}

/** Rows that compare a cell with another one. */
export function pairRows(pairs: readonly (readonly [StreamCell, StreamCell])[]): RowCells[] {
  return pairs.map((pair) => ({ all: pair.map(({ index }) => index) }));
}

export function cellTexts({ name, windows, others }: StreamCell, cells: readonly StreamCell[]): string[] {
  return [name, windows, ...(cells.some((cell) => cell.others !== '') ? [others] : [])];
}

/** A dash pattern per level, to distinguish lines without colour. */
import type { ChartData } from '../html/chart-data.ts';

const patterns = ['none', '7 3', '2 3', '9 3 2 3', '4 2', '12 4'];

export function dashOf({ cells }: ChartData, label: string): string {
  return dashAt([...new Set(cells.map((cell) => cell.label))].indexOf(label));
}

/** The pattern of the line with this index. */
export function dashAt(at: number): string {
  return patterns[at % patterns.length] ?? 'none';
}

/** A heat map in a database against the expected one: wrong cells, and crossings that are missing or too many. */
import type { HeatMapEntry } from '@topo-bench/stores/heat-map';
import type { ExpectedHeatMap } from './heat-map-oracle.ts';

export interface HeatMapCheck {
  cells: number;
  /** Cells with another sum or time, expected cells that are missing, and cells that should not exist. */
  wrong: number;
  /** Crossings. */
  lost: number;
  duplicated: number;
  /** Points that the job counted as late although they are not, or the reverse: their number. */
  lateDifference: number;
  /** The first wrong cells, as sentences. */
  examples: string[];
}

const maxExamples = 3;

export function compareHeatMaps(
  { cells, late }: ExpectedHeatMap,
  entries: readonly HeatMapEntry[],
  foundLate: number,
): HeatMapCheck {
  const check: HeatMapCheck = {
    cells: entries.length,
    wrong: 0,
    lost: 0,
    duplicated: 0,
    lateDifference: Math.abs(foundLate - late),
    examples: [],
  };
  const found = new Map(entries.map((entry) => [entry.cell, entry]));
  if (found.size < entries.length) throw new Error('a cell is in the heat map twice');
  for (const cell of new Set([...cells.keys(), ...found.keys()])) {
    const [right, one] = [cells.get(cell), found.get(cell)];
    const difference = (one?.crossings ?? 0) - (right?.crossings ?? 0);
    if (difference < 0) check.lost -= difference;
    else check.duplicated += difference;
    if (right && one && difference === 0 && right.timeMs === one.timeMs) continue;
    check.wrong++;
    if (check.examples.length === maxExamples) continue;
    check.examples.push(`cell ${cell}: got ${textOf(one)}, expected ${textOf(right)}`);
  }
  if (check.lateDifference > 0) check.examples.push(`got ${foundLate} late points, expected ${late}`);
  return check;
}

function textOf(entry: { crossings: number; timeMs: number } | undefined): string {
  return entry ? `${entry.crossings} crossings until ${entry.timeMs} ms` : 'none';
}

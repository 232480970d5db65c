/** Sums of one writer by cell, and how they travel in a checkpoint. */
import type { HeatMapEntry, HeatMapRows } from './heat-map.ts';

const noEntry = { crossings: 0, timeMs: 0 };
const valuesPerEntry = 3;

/** @param before sums of the same cells; a cell without one starts at zero */
export function addedTo(before: ReadonlyMap<number, HeatMapEntry>, rows: HeatMapRows): HeatMapEntry[] {
  const { count, cells, crossings, timesMs } = rows;
  return Array.from({ length: count }, (_, i) => {
    const cell = cells[i] as number;
    const was = before.get(cell) ?? noEntry;
    return {
      cell,
      crossings: was.crossings + (crossings[i] as number),
      timeMs: Math.max(was.timeMs, timesMs[i] as number),
    };
  });
}

/** Little-endian doubles: cell, crossings and time of each entry. Exact up to 2^53. */
export function encodeEntries(entries: readonly HeatMapEntry[]): Buffer {
  const bytes = Buffer.alloc(entries.length * valuesPerEntry * 8);
  entries.forEach(({ cell, crossings, timeMs }, i) => {
    [cell, crossings, timeMs].forEach((value, j) => void bytes.writeDoubleLE(value, (i * valuesPerEntry + j) * 8));
  });
  return bytes;
}

export function decodeEntries(bytes: Buffer): HeatMapEntry[] {
  const at = (i: number): number => bytes.readDoubleLE(i * 8);
  return Array.from({ length: bytes.length / 8 / valuesPerEntry }, (_, i) => ({
    cell: at(i * valuesPerEntry),
    crossings: at(i * valuesPerEntry + 1),
    timeMs: at(i * valuesPerEntry + 2),
  }));
}

/** One entry per cell from the rows of all writers. */
export function summed(rows: Iterable<HeatMapEntry>): Map<number, HeatMapEntry> {
  const entries = new Map<number, HeatMapEntry>();
  for (const { cell, crossings, timeMs } of rows) {
    const entry = entries.get(cell);
    if (!entry) entries.set(cell, { cell, crossings, timeMs });
    else {
      entry.crossings += crossings;
      entry.timeMs = Math.max(entry.timeMs, timeMs);
    }
  }
  return entries;
}

/** Entries whose latest time is in the range, by time. */
export function inRange(entries: readonly HeatMapEntry[], fromMs: number, toMs: number): HeatMapEntry[] {
  return entries
    .filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs)
    .sort((a, b) => a.timeMs - b.timeMs || a.cell - b.cell);
}

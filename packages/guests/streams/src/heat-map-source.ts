/** An existing heat map as events: each entry is one, read page by page in the order of cells. */
import type { HeatMapEntry, HeatMapReader } from '@topo-bench/stores/heat-map';
import type { EventSource } from './source.ts';

const defaultEntriesPerPage = 5000;

/**
 * The next page is read while the operators process the last one. A job that is resumed starts in the middle.
 * @param length entries; the heat map must have as many
 */
export function heatMapSource(
  reader: Pick<HeatMapReader, 'page' | 'cellAt'>,
  length: number,
  entriesPerPage = defaultEntriesPerPage,
): EventSource {
  let page: HeatMapEntry[] = [];
  /** Position of the first entry of the page. */
  let start = 0;
  let next: Promise<HeatMapEntry[]> | undefined;

  const after = (cell: number): Promise<HeatMapEntry[]> => {
    const read = reader.page(cell, entriesPerPage);
    // Its failure counts when the page is needed.
    read.catch(() => {});
    return read;
  };

  const cellBefore = async (position: number): Promise<number> =>
    position === 0 ? -1 : ((await reader.cellAt(position - 1)) ?? Number.MAX_SAFE_INTEGER);

  const turnTo = async (position: number): Promise<void> => {
    const isNext = next !== undefined && position === start + page.length;
    page = await (isNext ? (next as Promise<HeatMapEntry[]>) : after(await cellBefore(position)));
    start = position;
    const last = page.at(-1);
    if (!last) throw new Error(`the heat map has ${position} entries, expected ${length}`);
    next = start + page.length < length ? after(last.cell) : undefined;
  };

  return {
    length,
    async load(position, count) {
      if (position < start || position >= start + page.length) await turnTo(position);
      return Math.min(count, start + page.length - position);
    },
    read(position, count, batch) {
      for (let i = 0; i < count; i++) {
        const { cell, crossings, timeMs } = page[position - start + i] as HeatMapEntry;
        batch.keys[i] = cell;
        batch.values[i] = crossings;
        batch.timesMs[i] = timeMs;
      }
      batch.count = count;
    },
  };
}

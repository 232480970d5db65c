/** Map queries without repeats: rectangles of any size at any place of the heat map. */
import type { RandomStream } from '@topo-bench/core';
import { streams } from '@topo-bench/workload';
import { firstCell, placeOfCell } from './cell-square.ts';
import {
  emptyQueries,
  type MapQueries,
  mapSide,
  outOfRange,
  type QueriesWorkload,
  querySpanMs,
  queryStartMs,
  userCount,
} from './map-queries.ts';

/** Cells on a side of a rectangle. */
const sides = { min: 4, max: 16 };
/** Above this number for each entry, drawing others than all earlier ones takes long. */
const maxQueriesPerEntry = 50;

/**
 * A function of the arguments alone. @throws TopoBenchError `TB_LOAD_OUT_OF_RANGE`, also for more queries than the heat
 * map has rectangles
 */
export function randomQueries(workload: QueriesWorkload): MapQueries {
  const { queries: count, entries, seed } = workload;
  const queries = emptyQueries(workload);
  if (count > entries * maxQueriesPerEntry) {
    const limit = `expected at most ${maxQueriesPerEntry} for each of the ${entries} entries`;
    throw outOfRange(`queries without repeats: got ${count}, ${limit}`);
  }
  const random = streams.randomQueries(seed);
  const side = mapSide(entries);
  const drawn = new Set<number>();
  for (let at = 0; at < count; at++) {
    const [column, row, width, height] = nextQuery(random, entries, side, drawn);
    queries.users[at] = at % userCount;
    queries.timesMs[at] = queryStartMs + Math.floor((at / count) * querySpanMs);
    queries.columns[at] = column;
    queries.rows[at] = row;
    queries.widths[at] = width;
    queries.heights[at] = height;
  }
  return queries;
}

/** A rectangle around an entry, other than all earlier ones. */
function nextQuery(
  random: RandomStream,
  entries: number,
  side: number,
  drawn: Set<number>,
): [column: number, row: number, width: number, height: number] {
  for (;;) {
    const [width, height] = [drawnSide(random), drawnSide(random)];
    const [x, y] = placeOfCell(firstCell + 2 * random.integer(entries));
    const column = Math.min(x, side - width);
    const row = Math.min(y, side - height);
    const key = ((column * side + row) * 32 + width) * 32 + height;
    if (drawn.has(key)) continue;
    drawn.add(key);
    return [column, row, width, height];
  }
}

function drawnSide(random: RandomStream): number {
  return sides.min + random.integer(sides.max - sides.min + 1);
}

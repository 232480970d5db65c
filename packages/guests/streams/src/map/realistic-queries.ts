/**
 * Map queries of six users over ten hours. A user looks at a view of six square tiles, pans by a tile, zooms, goes
 * back, or opens a popular place; each step queries all tiles of the view. So most queries repeat an earlier one.
 */
import { type RandomStream, shuffled } from '@topo-bench/core';
import { streams } from '@topo-bench/workload';
import { firstCell, placeOfCell } from './cell-square.ts';
import {
  emptyQueries,
  type MapQueries,
  mapSide,
  type QueriesWorkload,
  querySpanMs,
  queryStartMs,
  userCount,
} from './map-queries.ts';

/** Cells on a side of a tile, by zoom level: 0 is the closest. */
const tileSides = [4, 8, 16] as const;
const viewTiles = { wide: 3, high: 2 };
const tilesPerView = viewTiles.wide * viewTiles.high;
const popularPlaces = 20;
/** Probabilities of a step; the rest opens a popular place. */
const steps = { pan: 0.55, zoom: 0.25, back: 0.15 };
/** Views that a user can go back to. */
const historyLength = 20;
/** A pause between two sessions takes as long as this many steps. */
const pause = { probability: 0.02, steps: 30 };

interface View {
  zoom: number;
  /** The south-west tile, in tiles of the zoom level. */
  x: number;
  y: number;
}

/** A function of the arguments alone. @throws TopoBenchError `TB_LOAD_OUT_OF_RANGE` */
export function realisticQueries(workload: QueriesWorkload): MapQueries {
  const { queries: count, entries, seed } = workload;
  const queries = emptyQueries(workload);
  const stepsOfUser = Math.ceil(count / userCount / tilesPerView);
  const places = placesOf(streams.mapPlaces(seed), entries);
  const views = Array.from({ length: userCount }, (_, user) =>
    viewsOf(streams.mapUser(seed, user), stepsOfUser, places, mapSide(entries)).map((step) => ({ ...step, user })),
  )
    .flat()
    .sort((a, b) => a.timeMs - b.timeMs || a.user - b.user);
  let at = 0;
  for (const { view, timeMs, user } of views) {
    const side = tileSides[view.zoom] as number;
    for (let tile = 0; tile < tilesPerView && at < count; tile++, at++) {
      queries.users[at] = user;
      queries.timesMs[at] = timeMs;
      queries.columns[at] = (view.x + (tile % viewTiles.wide)) * side;
      queries.rows[at] = (view.y + Math.floor(tile / viewTiles.wide)) * side;
      queries.widths[at] = side;
      queries.heights[at] = side;
    }
  }
  return queries;
}

/** Columns and rows of popular places, the most popular one first. */
function placesOf(random: RandomStream, entries: number): [column: number, row: number][] {
  return Array.from({ length: popularPlaces }, () => placeOfCell(firstCell + 2 * random.integer(entries)));
}

function viewsOf(
  random: RandomStream,
  count: number,
  places: readonly [column: number, row: number][],
  side: number,
): { view: View; timeMs: number }[] {
  const gaps = Array.from(
    { length: count },
    () => -Math.log(1 - random.uniform()) * (random.uniform() < pause.probability ? pause.steps : 1),
  );
  const span = gaps.reduce((sum, gap) => sum + gap, 0);
  const own = shuffled(places, random);
  const history: View[] = [];
  let view = open(random, own, side);
  let passed = 0;
  return gaps.map((gap) => {
    passed += gap;
    history.push(view);
    if (history.length > historyLength) history.shift();
    const seen = view;
    view = next(random, view, history, own, side);
    return { view: seen, timeMs: queryStartMs + Math.floor((passed / span) * (querySpanMs - 1)) };
  });
}

function next(
  random: RandomStream,
  { zoom, x, y }: View,
  history: readonly View[],
  places: readonly [column: number, row: number][],
  side: number,
): View {
  const step = random.uniform();
  if (step < steps.pan) {
    const [east, north] = [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ][random.integer(4)] as [number, number];
    return inside({ zoom, x: x + east, y: y + north }, side);
  }
  if (step < steps.pan + steps.zoom) {
    const isOut = zoom === 0 || (zoom < tileSides.length - 1 && random.uniform() < 0.5);
    if (isOut) return inside({ zoom: zoom + 1, x: Math.floor(x / 2), y: Math.floor(y / 2) }, side);
    return inside({ zoom: zoom - 1, x: x * 2 + 1, y: y * 2 + 1 }, side);
  }
  if (step < steps.pan + steps.zoom + steps.back) return history[random.integer(history.length)] as View;
  return open(random, places, side);
}

/** A popular place at the closest zoom level: place k is drawn in proportion to 1 / (k + 1). */
function open(random: RandomStream, places: readonly [column: number, row: number][], side: number): View {
  const weights = places.map((_, at) => 1 / (at + 1));
  let left = random.uniform() * weights.reduce((sum, weight) => sum + weight, 0);
  const found = weights.findIndex((weight) => {
    left -= weight;
    return left < 0;
  });
  const [column, row] = places[Math.max(0, found)] as [number, number];
  const [tile] = tileSides;
  return inside({ zoom: 0, x: Math.floor(column / tile), y: Math.floor(row / tile) }, side);
}

function inside({ zoom, x, y }: View, side: number): View {
  const tiles = side / (tileSides[zoom] as number);
  const clamp = (value: number, size: number): number => Math.max(0, Math.min(tiles - size, value));
  return { zoom, x: clamp(x, viewTiles.wide), y: clamp(y, viewTiles.high) };
}

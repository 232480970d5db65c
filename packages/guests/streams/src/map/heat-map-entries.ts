/**
 * An existing heat map, to copy or to query: half of the cells of a map have crossings. Entries are in the order of
 * cells and, but for less than a second, of event times: one for each ms.
 */
import { hash32, TopoBenchError } from '@topo-bench/core';
import { firstCell } from './cell-square.ts';

/** Entries of the published study, and the maximum here. */
export const maxEntries = 418_239_564;

/** In columns. */
export interface HeatMapEntries {
  count: number;
  /** Geohash cells of eight characters as whole numbers, ascending. */
  cells: Float64Array;
  crossings: Float64Array;
  /** Latest event time of each cell, in ms since 1970. */
  timesMs: Float64Array;
}

export interface EntriesRange {
  seed: number;
  /** Place of the first entry; default 0. */
  from?: number;
  count: number;
}

/** 1 June 2022, 06:00 UTC. */
const startMs = Date.UTC(2022, 5, 1, 6);
const jitterMs = 800;

/**
 * The entries from a place on. Each is a function of the seed and its place alone; memory: 24 bytes per entry.
 * @throws TopoBenchError `TB_LOAD_OUT_OF_RANGE` beyond `maxEntries`
 */
export function heatMapEntries({ seed, from = 0, count }: EntriesRange): HeatMapEntries {
  if (!Number.isInteger(count) || count < 1 || from + count > maxEntries) {
    const message = `entries of a heat map: got ${count}, expected a whole number from 1 to ${maxEntries}`;
    throw new TopoBenchError('TB_LOAD_OUT_OF_RANGE', message);
  }
  const [cells, crossings, timesMs] = [0, 0, 0].map(() => new Float64Array(count)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const key = hash32(`${seed}/heat-map-entries`);
  for (let at = 0; at < count; at++) {
    const place = from + at;
    const [one, other] = [mixed(place ^ key), mixed(place + key)];
    // One of two neighbours.
    cells[at] = firstCell + 2 * place + (one & 1);
    // Few cells have many crossings: 1 to 500, with a median of 1.
    crossings[at] = 1 + Math.floor(0.5 / (other / 2 ** 32 + 0.001));
    timesMs[at] = startMs + place + ((one >>> 1) % jitterMs);
  }
  return { count, cells, crossings, timesMs };
}

/** Finaliser of MurmurHash3: every bit of the result depends on every bit of the value. */
function mixed(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

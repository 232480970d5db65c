/** Queries of a map of crossings: each is a rectangle of cells. */
import { TopoBenchError } from '@topo-bench/core';
import { cellAtPlace } from './cell-square.ts';

/** Queries of the published study, and the maximum here. */
export const maxQueries = 1_292_600;

/** In columns, by time. */
export interface MapQueries {
  count: number;
  /** The user, from 0. */
  users: Uint8Array;
  /** In ms since 1970. */
  timesMs: Float64Array;
  /** The south-west cell of each rectangle. */
  columns: Uint16Array;
  rows: Uint16Array;
  /** Cells to the east and to the north: 1 or more. */
  widths: Uint8Array;
  heights: Uint8Array;
}

export interface QueriesWorkload {
  queries: number;
  /** Entries of the heat map that is queried; 128 or more. */
  entries: number;
  seed: number;
}

/** Users and time of the published study. */
export const userCount = 6;
export const querySpanMs = 10 * 3600e3;
/** 1 June 2022, 08:00 UTC. */
export const queryStartMs = Date.UTC(2022, 5, 1, 8);

/** @throws TopoBenchError `TB_LOAD_OUT_OF_RANGE` */
export function emptyQueries({ queries, entries }: QueriesWorkload): MapQueries {
  if (!Number.isInteger(queries) || queries < 1 || queries > maxQueries) {
    throw outOfRange(`queries: got ${queries}, expected a whole number from 1 to ${maxQueries}`);
  }
  if (entries < minEntries) throw outOfRange(`entries of a map: got ${entries}, expected ${minEntries} or more`);
  return {
    count: queries,
    users: new Uint8Array(queries),
    timesMs: new Float64Array(queries),
    columns: new Uint16Array(queries),
    rows: new Uint16Array(queries),
    widths: new Uint8Array(queries),
    heights: new Uint8Array(queries),
  };
}

const minEntries = 128;

export function outOfRange(message: string): TopoBenchError {
  return new TopoBenchError('TB_LOAD_OUT_OF_RANGE', message);
}

/** Cells on each side of the smallest square with all cells of the heat map. */
export function mapSide(entries: number): number {
  return 2 ** Math.ceil(Math.log2(2 * entries) / 2);
}

/** The cells of a query, row by row from the south-west. */
export function cellsOfQuery({ columns, rows, widths, heights }: MapQueries, query: number): number[] {
  const [column, row] = [columns[query] as number, rows[query] as number];
  const [width, height] = [widths[query] as number, heights[query] as number];
  const cells: number[] = [];
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) cells.push(cellAtPlace(column + x, row + y));
  return cells;
}

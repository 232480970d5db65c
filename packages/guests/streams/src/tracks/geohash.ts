/**
 * Geohash cells: a position as a whole number. Each character of its usual text has five bits; bits of longitude
 * and latitude alternate and begin with longitude (G. Niemeyer, geohash.org, 2008).
 */
import { TopoBenchError } from '@topo-bench/core';

/** Characters of the longest cell: 45 bits, which a number keeps exactly. */
const maxGeohashLength = 9;

export interface GeohashScale {
  /** Characters. */
  length: number;
  /** Columns and rows of the world. */
  columns: number;
  rows: number;
}

/**
 * @param length characters, 1 to `maxGeohashLength`
 * @throws TopoBenchError `TB_LOAD_OUT_OF_RANGE`
 */
export function geohashScale(length: number): GeohashScale {
  if (!Number.isInteger(length) || length < 1 || length > maxGeohashLength) {
    const message = `length of geohash cells: got ${length}, expected a whole number from 1 to ${maxGeohashLength}`;
    throw new TopoBenchError('TB_LOAD_OUT_OF_RANGE', message);
  }
  const bits = length * 5;
  return { length, columns: 2 ** Math.ceil(bits / 2), rows: 2 ** Math.floor(bits / 2) };
}

/**
 * The cell of a position, as the whole number that its bits form.
 * @param latitude degrees, −90 to 90
 * @param longitude degrees, −180 to 180
 */
export function geohashCell({ length, columns, rows }: GeohashScale, latitude: number, longitude: number): number {
  const column = Math.min(columns - 1, Math.floor(((longitude + 180) / 360) * columns));
  const row = Math.min(rows - 1, Math.floor(((latitude + 90) / 180) * rows));
  // The last bit is one of longitude for an odd number of bits.
  const [last, other] = length % 2 === 1 ? [column, row] : [row, column];
  const low = spread(last) | (spread(other) << 1);
  const high = spread(last >>> 16) | (spread(other >>> 16) << 1);
  return high * 2 ** 32 + (low >>> 0);
}

/** Places the lower 16 bits at the even positions of 32 bits (Morton order). */
function spread(value: number): number {
  let bits = value & 0xffff;
  bits = (bits | (bits << 8)) & 0x00ff00ff;
  bits = (bits | (bits << 4)) & 0x0f0f0f0f;
  bits = (bits | (bits << 2)) & 0x33333333;
  return (bits | (bits << 1)) & 0x55555555;
}

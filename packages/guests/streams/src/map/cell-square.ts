/**
 * A square of geohash cells of eight characters (38 m × 19 m at the equator). Whole numbers of cells follow a Z-shaped
 * curve (Morton order): the first 4^k of the square are a square with 2^k cells on each side.
 */
import { geohashCell, geohashScale } from '../tracks/geohash.ts';

/** Bits of a cell within the square: 2^15 cells on each side. */
const squareBits = 30;

/** The first cell: the south-west corner of the square that contains Dresden. */
export const firstCell = cornerOf(geohashCell(geohashScale(8), 51, 13.65));

function cornerOf(cell: number): number {
  return Math.floor(cell / 2 ** squareBits) * 2 ** squareBits;
}

/** The cell in this column (to the east) and row (to the north) of the square; both below 2^15. */
export function cellAtPlace(column: number, row: number): number {
  return firstCell + spread(column) * 2 + spread(row);
}

/** The column and the row of a cell. */
export function placeOfCell(cell: number): [column: number, row: number] {
  const bits = cell - firstCell;
  return [gather(bits >>> 1), gather(bits)];
}

/** Places 15 bits at the even positions. */
function spread(value: number): number {
  let bits = value & 0x7fff;
  bits = (bits | (bits << 8)) & 0x00ff00ff;
  bits = (bits | (bits << 4)) & 0x0f0f0f0f;
  bits = (bits | (bits << 2)) & 0x33333333;
  return (bits | (bits << 1)) & 0x55555555;
}

function gather(value: number): number {
  let bits = value & 0x55555555;
  bits = (bits | (bits >>> 1)) & 0x33333333;
  bits = (bits | (bits >>> 2)) & 0x0f0f0f0f;
  bits = (bits | (bits >>> 4)) & 0x00ff00ff;
  return (bits | (bits >>> 8)) & 0x7fff;
}

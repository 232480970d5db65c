/**
 * The levels of a flat column, runs of bits, as the places of its nulls: those are few in most columns. The runs are
 * short, and so one loop reads them all.
 */
import { ended } from './hybrid-runs.ts';
import { type ByteCursor, readVarint } from './thrift-struct.ts';

/** Places in ascending order. */
export interface Places {
  places: Int32Array;
  count: number;
}

/**
 * @param nulls receives the places of the zeros among the first `count` levels
 * @throws RangeError when the bytes end before, and for a level above 1
 */
export function findNulls(bytes: Uint8Array, count: number, nulls: Places): void {
  const cursor: ByteCursor = { bytes, at: 0 };
  nulls.count = 0;
  let row = 0;
  while (row < count) {
    const head = readVarint(cursor);
    const { at } = cursor;
    if ((head & 1) === 1) {
      const end = Math.min(row + 8 * (head >>> 1), count);
      if (at + Math.ceil((end - row) / 8) > bytes.length) throw ended();
      requireRoom(nulls, end - row);
      addPacked(bytes, at, row, end, nulls);
      cursor.at = at + (head >>> 1);
      row = end;
    } else {
      const end = Math.min(row + (head >>> 1), count);
      const level = bytes[at];
      if (level === undefined) throw ended();
      if (level > 1) throw new RangeError(`got a level of ${level}, expected 0 or 1`);
      cursor.at = at + 1;
      if (level === 0) addAll(row, end, nulls);
      row = end;
    }
  }
}

/** Levels from `row` to `end`, of which the first is the lowest bit of a byte. */
function addPacked(bytes: Uint8Array, from: number, row: number, end: number, nulls: Places): void {
  const { places } = nulls;
  let { count } = nulls;
  let at = from;
  for (let first = row; first < end; first += 8, at++) {
    let zeros = ~(bytes[at] as number) & 0xff;
    // Bits behind the end pad the last byte.
    if (end - first < 8) zeros &= (1 << (end - first)) - 1;
    // The lowest bit that is left, until none is.
    for (; zeros !== 0; zeros &= zeros - 1) places[count++] = first + 31 - Math.clz32(zeros & -zeros);
  }
  nulls.count = count;
}

function addAll(row: number, end: number, nulls: Places): void {
  requireRoom(nulls, end - row);
  for (let place = row; place < end; place++) nulls.places[nulls.count++] = place;
}

function requireRoom(nulls: Places, more: number): void {
  if (nulls.count + more <= nulls.places.length) return;
  const larger = new Int32Array(Math.max(2 * nulls.places.length, nulls.count + more));
  larger.set(nulls.places);
  nulls.places = larger;
}

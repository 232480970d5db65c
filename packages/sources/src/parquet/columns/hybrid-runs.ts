/** Runs of equal values and of bit-packed values: Parquet's form of levels and of indexes into a dictionary. */
import { type ByteCursor, readVarint } from './thrift-struct.ts';

type Target = Uint8Array | Int32Array;

/** Wider values would not fit into the 32 bits that are read at a time. */
const maxWidth = 24;

/**
 * Reads `count` values of `width` bits into `target`, from its start.
 * @param cursor moves behind the last run that was read
 * @throws RangeError when the bytes end before, and for a value of more bits
 */
export function readRuns(cursor: ByteCursor, width: number, target: Target, count: number): void {
  if (width > maxWidth) throw new RangeError(`got values of ${width} bits, expected ${maxWidth} or fewer`);
  for (let row = 0; row < count; ) {
    const head = readVarint(cursor);
    if ((head & 1) === 1) {
      const packed = (head >>> 1) * 8;
      const read = Math.min(packed, count - row);
      if (cursor.at + Math.ceil((read * width) / 8) > cursor.bytes.length) throw ended();
      if (width === 1) unpackBits(cursor.bytes, cursor.at, target, row, read);
      else unpack(cursor.bytes, cursor.at, width, target, row, read);
      cursor.at += (packed / 8) * width;
      row += read;
    } else {
      const end = Math.min(row + (head >>> 1), count);
      let value = 0;
      for (let shift = 0; shift < width; shift += 8) {
        const byte = cursor.bytes[cursor.at++];
        if (byte === undefined) throw ended();
        value |= byte << shift;
      }
      if (value >>> width !== 0) throw new RangeError(`got ${value} in a run of values of ${width} bits`);
      target.fill(value, row, end);
      row = end;
    }
  }
}

function unpackBits(bytes: Uint8Array, from: number, target: Target, start: number, count: number): void {
  let [at, row] = [from, start];
  const whole = start + (count & ~7);
  for (; row < whole; row += 8) {
    const byte = bytes[at++] as number;
    target[row] = byte & 1;
    target[row + 1] = (byte >> 1) & 1;
    target[row + 2] = (byte >> 2) & 1;
    target[row + 3] = (byte >> 3) & 1;
    target[row + 4] = (byte >> 4) & 1;
    target[row + 5] = (byte >> 5) & 1;
    target[row + 6] = (byte >> 6) & 1;
    target[row + 7] = byte >> 7;
  }
  for (const end = start + count; row < end; row++) target[row] = ((bytes[at] as number) >> (row - whole)) & 1;
}

function unpack(bytes: Uint8Array, from: number, width: number, target: Target, start: number, count: number): void {
  const mask = (1 << width) - 1;
  let [at, held, bits] = [from, 0, 0];
  for (let row = start; row < start + count; row++) {
    while (bits < width) {
      held |= (bytes[at++] as number) << bits;
      bits += 8;
    }
    target[row] = held & mask;
    held >>>= width;
    bits -= width;
  }
}

function ended(): RangeError {
  return new RangeError('a page ends within its values');
}

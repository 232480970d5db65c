/** Runs of equal values and of bit-packed values: Parquet's form of indexes into a dictionary. */
import { type ByteCursor, readVarint } from './thrift-struct.ts';

/** Wider values would not fit into the 32 bits that are read at a time. */
const maxWidth = 24;
/** Up to here, a loop is faster than a call of the runtime. */
const loopValues = 16;

/**
 * Reads `count` values of `width` bits into `target`, from its start.
 * @param cursor moves behind the last run that was read
 * @throws RangeError when the bytes end before, and for a value of more bits
 */
export function readRuns(cursor: ByteCursor, width: number, target: Int32Array, count: number): void {
  if (width > maxWidth) throw new RangeError(`got values of ${width} bits, expected ${maxWidth} or fewer`);
  for (let row = 0; row < count; ) {
    const head = readVarint(cursor);
    if ((head & 1) === 1) {
      const read = requirePacked(cursor, head, width, count - row);
      unpack(cursor.bytes, cursor.at, width, target, row, read);
      cursor.at += (head >>> 1) * width;
      row += read;
    } else {
      const end = Math.min(row + (head >>> 1), count);
      const value = readRepeated(cursor, width);
      if (end - row > loopValues) target.fill(value, row, end);
      else for (let place = row; place < end; place++) target[place] = value;
      row = end;
    }
  }
}

/** @returns the values of a packed run to read; runs are padded to groups of eight */
function requirePacked({ bytes, at }: ByteCursor, head: number, width: number, left: number): number {
  const read = Math.min((head >>> 1) * 8, left);
  if (at + Math.ceil((read * width) / 8) > bytes.length) throw ended();
  return read;
}

/** The value of a run of equal ones. */
function readRepeated(cursor: ByteCursor, width: number): number {
  let value = 0;
  for (let shift = 0; shift < width; shift += 8) {
    const byte = cursor.bytes[cursor.at++];
    if (byte === undefined) throw ended();
    value |= byte << shift;
  }
  if (value >>> width !== 0) throw new RangeError(`got ${value} in a run of values of ${width} bits`);
  return value;
}

function unpack(
  bytes: Uint8Array,
  from: number,
  width: number,
  target: Int32Array,
  start: number,
  count: number,
): void {
  const mask = (1 << width) - 1;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let [at, row] = [from, start];
  // Eight values have `width` bytes. Each is read with the 32 bits that begin at its first byte.
  const lastAt = bytes.length - 4 - ((7 * width) >>> 3);
  for (const whole = start + (count & ~7); row < whole && at <= lastAt; at += width) {
    for (let bit = 0; bit < 8 * width; bit += width) {
      target[row++] = (view.getInt32(at + (bit >>> 3), true) >>> (bit & 7)) & mask;
    }
  }
  let [held, bits] = [0, 0];
  for (const end = start + count; row < end; row++) {
    while (bits < width) {
      held |= (bytes[at++] as number) << bits;
      bits += 8;
    }
    target[row] = held & mask;
    held >>>= width;
    bits -= width;
  }
}

export function ended(): RangeError {
  return new RangeError('a page ends within its values');
}

/**
 * Copies scattered texts of chosen rows into one buffer. Most are a few words long, so a call per text would dominate.
 * Eight bytes are copied as a double where they are ASCII, otherwise as two integers: a double keeps all bits unless it
 * is a NaN, and no eight bytes of ASCII are one.
 */
import { isAscii } from 'node:buffer';
import type { Allocate } from './buffers.ts';
import { lowestBit } from './row-masks.ts';

/** Min length of a run to copy with a library call. */
const longRun = 256;
const stepBytes = 8;

/**
 * Copies the values of a set of rows.
 * @param source ends with the last value
 * @param offsets of the values by row, plus the end of the last one
 * @param total size of the result, bytes
 */
export function copyValues(
  source: Uint8Array,
  offsets: Int32Array,
  kept: Int32Array,
  total: number,
  allocate: Allocate,
): Uint8Array {
  const copy = memoryFor(total, allocate);
  const from = viewOf(source);
  const to = viewOf(copy);
  const asDoubles = areShortAscii(source.subarray(offsets[0]), offsets.length);
  const lastStep = source.length - stepBytes;
  let at = 0;
  for (let i = 0; i < kept.length; i++) {
    let word = kept[i] as number;
    if (word === -1) {
      const run = source.subarray(offsets[32 * i], offsets[32 * i + 32]);
      copy.set(run, at);
      at += run.length;
      continue;
    }
    for (; word !== 0; word &= word - 1) {
      const row = 32 * i + lowestBit(word);
      const start = offsets[row] as number;
      const end = offsets[row + 1] as number;
      if (end - start > longRun || end > lastStep) copy.set(source.subarray(start, end), at);
      else if (asDoubles) copyDoubles(from, start, end, to, at);
      else copyWords(from, start, end, to, at);
      at += end - start;
    }
  }
  return cut(copy, total);
}

/**
 * Copies the values of rows in the given order.
 * @param source ends with the last value
 * @param ends end of each value in the copy, starting at 0; a row without a value has length 0
 */
export function copyRows(
  source: Uint8Array,
  offsets: Int32Array,
  rows: Int32Array,
  ends: Int32Array,
  allocate: Allocate,
): Uint8Array {
  const total = ends[rows.length] as number;
  const copy = memoryFor(total, allocate);
  const from = viewOf(source);
  const to = viewOf(copy);
  const asDoubles = areShortAscii(source.subarray(offsets[0]), offsets.length);
  const lastStep = source.length - stepBytes;
  let at = 0;
  for (let i = 0; i < rows.length; i++) {
    const stop = ends[i + 1] as number;
    if (stop === at) continue;
    const start = offsets[rows[i] as number] as number;
    const end = start + stop - at;
    if (end - start > longRun || end > lastStep) copy.set(source.subarray(start, end), at);
    else if (asDoubles) copyDoubles(from, start, end, to, at);
    else copyWords(from, start, end, to, at);
    at = stop;
  }
  return cut(copy, total);
}

/** The check would cost a column of long texts more than it saves: they are copied by library calls. */
function areShortAscii(texts: Uint8Array, count: number): boolean {
  return texts.length < longRun * count && isAscii(texts);
}

/**
 * A step may write past the end of a value. The next value overwrites the excess; the excess of the last one is cut
 * off.
 */
function copyDoubles(from: DataView, start: number, end: number, to: DataView, at: number): void {
  for (let read = start, write = at; read < end; read += stepBytes, write += stepBytes) {
    to.setFloat64(write, from.getFloat64(read, true), true);
  }
}

function copyWords(from: DataView, start: number, end: number, to: DataView, at: number): void {
  for (let read = start, write = at; read < end; read += stepBytes, write += stepBytes) {
    to.setInt32(write, from.getInt32(read, true), true);
    to.setInt32(write + 4, from.getInt32(read + 4, true), true);
  }
}

function memoryFor(total: number, allocate: Allocate): Uint8Array {
  return new Uint8Array(allocate(total + stepBytes), 0, total + stepBytes);
}

function cut(copy: Uint8Array, total: number): Uint8Array {
  copy.fill(0, total);
  return copy.subarray(0, total);
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

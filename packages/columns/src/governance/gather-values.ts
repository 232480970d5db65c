/**
 * Gathers the values of chosen rows from plain buffers. Loops over short values have no branches: with half of the rows
 * withheld at random, mispredictions would cost more than the copy.
 */
import { bitAt, bitmapBytes } from '@topo-bench/arrow-flight/ipc';
import type { Data } from 'apache-arrow';
import { unsupported } from '../errors.ts';
import type { Allocate } from './buffers.ts';
import { copyRows } from './copy-values.ts';

export type TypedArray =
  | Int8Array
  | Int16Array
  | Int32Array
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array;
export type TypedConstructor = {
  new (length: number): TypedArray;
  new (memory: ArrayBufferLike, byteOffset: number, length: number): TypedArray;
};
type Offsets = Int32Array | BigInt64Array;

export interface Validity {
  /** Empty without nulls. */
  nullBitmap: Uint8Array;
  nullCount: number;
}

export function isValid(data: Data, row: number): boolean {
  return data.nullCount === 0 || bitAt(data.nullBitmap, data.offset + row);
}

/** Null bitmap of the result: a row of −1 is null, and so is a null of the column. */
export function gatherValidity(data: Data, rows: Int32Array): Validity {
  const bitmap = new Uint8Array(bitmapBytes(rows.length));
  const { nullBitmap, offset } = data;
  const hasNulls = data.nullCount > 0;
  let valid = 0;
  for (let i = 0; i < rows.length; ) {
    // Assembles each byte in a register: single-bit writes would wait for each other in memory.
    let byte = 0;
    const end = Math.min(i + 8, rows.length);
    for (let shift = 0; i < end; i++, shift++) {
      const row = rows[i] as number;
      let bit = (row >>> 31) ^ 1;
      if (hasNulls && bit === 1) bit = ((nullBitmap[(offset + row) >>> 3] as number) >>> ((offset + row) & 7)) & 1;
      byte |= bit << shift;
      valid += bit;
    }
    bitmap[(end - 1) >>> 3] = byte;
  }
  if (valid === rows.length) return { nullBitmap: new Uint8Array(0), nullCount: 0 };
  return { nullBitmap: bitmap, nullCount: rows.length - valid };
}

export function gatherBits(data: Data, rows: Int32Array): Uint8Array {
  const bits = new Uint8Array(bitmapBytes(rows.length));
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    if (row >= 0 && bitAt(data.values as Uint8Array, data.offset + row))
      bits[i >>> 3] = (bits[i >>> 3] as number) | (1 << (i & 7));
  }
  return bits;
}

/**
 * Fixed-width values. Zeroes the bytes of nulls.
 * @param hasNulls whether some row is −1 or null
 */
export function gatherFixed(
  data: Data,
  rows: Int32Array,
  byteWidth: number,
  hasNulls: boolean,
  allocate: Allocate,
): ArrayBufferView {
  const source = data.values as TypedArray;
  if (source.BYTES_PER_ELEMENT === 8 && byteWidth === 8 && !hasNulls) return longs(source, rows, allocate);
  const gathered = new (source.constructor as TypedConstructor)((rows.length * byteWidth) / source.BYTES_PER_ELEMENT);
  const unit = byteWidth % 4 === 0 && source.byteOffset % 4 === 0 ? 4 : 1;
  copyUnits(data, inUnits(source, unit), inUnits(gathered, unit), rows, byteWidth / unit);
  return gathered;
}

/**
 * The common case: 64-bit values without nulls. Copied as integers, since copies of doubles may not preserve every bit.
 */
function longs(source: TypedArray, rows: Int32Array, allocate: Allocate): ArrayBufferView {
  const memory = allocate(8 * rows.length);
  const from = new BigInt64Array(source.buffer, source.byteOffset, source.length);
  const to = new BigInt64Array(memory, 0, rows.length);
  for (let i = 0; i < rows.length; i++) to[i] = from[rows[i] as number] as bigint;
  return new (source.constructor as TypedConstructor)(memory, 0, rows.length);
}

function copyUnits(
  data: Data,
  from: Int32Array | Uint8Array,
  to: Int32Array | Uint8Array,
  rows: Int32Array,
  stride: number,
): void {
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    if (row < 0 || !isValid(data, row)) continue;
    for (let j = 0; j < stride; j++) to[i * stride + j] = from[row * stride + j] as number;
  }
}

/** A view of the same memory as 4-byte words or as bytes. */
function inUnits({ buffer, byteOffset, byteLength }: ArrayBufferView, unit: 1 | 4): Int32Array | Uint8Array {
  return unit === 4
    ? new Int32Array(buffer, byteOffset, byteLength / 4)
    : new Uint8Array(buffer, byteOffset, byteLength);
}

/** Text or bytes with offsets. */
export function gatherVariable(
  data: Data,
  rows: Int32Array,
  allocate: Allocate,
): { values: Uint8Array; offsets: Offsets } {
  const given = narrowOffsets(data.valueOffsets as Offsets);
  const offsets = gatheredOffsets(data, given, rows, allocate);
  const source = (data.values as Uint8Array).subarray(0, given[data.length]);
  const values = copyRows(source, given, rows, offsets, allocate);
  return { values, offsets: asWide(data, offsets) };
}

/** Lists: offsets, and the chosen rows of the child. */
export function gatherListRows(
  data: Data,
  rows: Int32Array,
  allocate: Allocate,
): { offsets: Offsets; inner: Int32Array } {
  const given = narrowOffsets(data.valueOffsets as Offsets);
  const offsets = gatheredOffsets(data, given, rows, allocate);
  const inner = new Int32Array(offsets[rows.length] as number);
  for (let i = 0; i < rows.length; i++) {
    const shift = (given[rows[i] as number] as number) - (offsets[i] as number);
    for (let at = offsets[i] as number; at < (offsets[i + 1] as number); at++) inner[at] = at + shift;
  }
  return { offsets: asWide(data, offsets), inner };
}

/** Offsets of the result; a null has length 0. */
function gatheredOffsets(data: Data, given: Int32Array, rows: Int32Array, allocate: Allocate): Int32Array {
  const offsets = new Int32Array(allocate(4 * (rows.length + 1)), 0, rows.length + 1);
  offsets[0] = 0;
  const hasNulls = data.nullCount > 0;
  let total = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    const keep = hasNulls && row >= 0 && !isValid(data, row) ? 0 : ~(row >> 31);
    total += ((given[(row & keep) + 1] as number) - (given[row & keep] as number)) & keep;
    offsets[i + 1] = total;
  }
  return offsets;
}

/** @throws TopoBenchError `TB_ARROW_UNSUPPORTED` when an offset exceeds 31 bits */
function narrowOffsets(offsets: Offsets): Int32Array {
  if (offsets instanceof Int32Array) return offsets;
  const last = offsets.at(-1) ?? 0n;
  if (last >= 2n ** 31n) throw unsupported('rules on a batch with 2 GiB or more in one column', 'send smaller batches');
  return Int32Array.from(offsets, Number);
}

/** Converts offsets to the width of the column. */
function asWide(data: Data, offsets: Int32Array): Offsets {
  return data.valueOffsets instanceof BigInt64Array ? BigInt64Array.from(offsets, BigInt) : offsets;
}

const viewBytes = 16;
const inlineBytes = 12;

export function gatherViews(data: Data, rows: Int32Array): { values: Uint8Array; variadic: Uint8Array[] } {
  const source = data.values as Uint8Array;
  const from = new DataView(source.buffer, source.byteOffset, source.byteLength);
  const values = new Uint8Array(viewBytes * rows.length);
  const to = new DataView(values.buffer);
  const long: Uint8Array[] = [];
  let at = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    if (row < 0 || !isValid(data, row)) continue;
    const length = from.getInt32(viewBytes * row, true);
    const head = length > inlineBytes ? 8 : 4 + length;
    values.set(source.subarray(viewBytes * row, viewBytes * row + head), viewBytes * i);
    if (length <= inlineBytes) continue;
    const start = from.getInt32(viewBytes * row + 12, true);
    long.push(
      (data.variadicBuffers[from.getInt32(viewBytes * row + 8, true)] as Uint8Array).subarray(start, start + length),
    );
    to.setInt32(viewBytes * i + 12, at, true);
    at += length;
  }
  return { values, variadic: long.length > 0 ? [new Uint8Array(Buffer.concat(long))] : [] };
}

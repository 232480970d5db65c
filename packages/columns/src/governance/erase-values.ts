/**
 * Removes values from a column without removing rows. This is the common redaction, so it is optimised. No loop
 * branches per row: rows withheld at random would cause mispredictions.
 */
import { layoutOf } from '@topo-bench/arrow-flight/ipc';
import { BufferType, Data, type DataType } from 'apache-arrow';
import type { Allocate } from './buffers.ts';
import { copyValues } from './copy-values.ts';
import type { TypedArray, TypedConstructor } from './gather-values.ts';
import { bothOf, isMasked, lowestBit, maskOf, memberCount, outside, validRows } from './row-masks.ts';

/** Whether the values of the type are contiguous, or have 32-bit offsets. */
export function isErasable(type: DataType): boolean {
  const layout = layoutOf(type);
  return layout.kind === 'bits' || layout.kind === 'fixed' || (layout.kind === 'variable' && layout.offsetBytes === 4);
}

/**
 * Replaces values with nulls. No buffer of the result contains the removed values.
 * @param data of an erasable type
 */
export function eraseValues(type: DataType, data: Data, removed: Int32Array, allocate: Allocate): Data {
  const { length } = data;
  const rows = keptRows(data, removed);
  const buffers = { ...valuesOf(type, data, rows, allocate), [BufferType.VALIDITY]: new Uint8Array(rows.kept.buffer) };
  return new Data(type, 0, length, length - rows.count, buffers);
}

interface KeptRows {
  kept: Int32Array;
  lost: Int32Array;
  /** Number of kept rows. */
  count: number;
}

/** Most columns of a batch lose the same rows and share one entry. */
const known = new WeakMap<Int32Array, KeptRows>();

function keptRows(data: Data, removed: Int32Array): KeptRows {
  const valid = validRows(data);
  if (valid !== 'all') return withKept(bothOf(outside(removed, data.length), valid) as Int32Array, data.length);
  const rows = known.get(removed) ?? withKept(outside(removed, data.length), data.length);
  known.set(removed, rows);
  return rows;
}

function withKept(kept: Int32Array, length: number): KeptRows {
  return { kept, lost: outside(kept, length), count: memberCount(kept) };
}

interface Values {
  [BufferType.OFFSET]?: Int32Array;
  [BufferType.DATA]: TypedArray;
}

function valuesOf(type: DataType, data: Data, { kept, lost }: KeptRows, allocate: Allocate): Values {
  const layout = layoutOf(type);
  if (layout.kind === 'fixed') return { [BufferType.DATA]: fixed(data, lost, layout.byteWidth, allocate) };
  if (layout.kind === 'bits') {
    const bits = bothOf(maskOf(data.values, data.offset, data.length), kept) as Int32Array;
    return { [BufferType.DATA]: new Uint8Array(bits.buffer) };
  }
  const given = data.valueOffsets as Int32Array;
  const offsets = keptOffsets(given, kept, data.length, allocate);
  const source = (data.values as Uint8Array).subarray(0, given[data.length]);
  const bytes = copyValues(source, given, kept, offsets[data.length] as number, allocate);
  return { [BufferType.OFFSET]: offsets, [BufferType.DATA]: bytes };
}

/** Copies all values, then zeroes the removed ones. */
function fixed({ values, length }: Data, lost: Int32Array, byteWidth: number, allocate: Allocate): TypedArray {
  const source = values as TypedArray;
  const bytes = length * byteWidth;
  const memory = allocate(bytes);
  const copy = new Uint8Array(memory, 0, bytes);
  copy.set(new Uint8Array(source.buffer, source.byteOffset, bytes));
  if (byteWidth % 4 === 0) zero(new Int32Array(memory, 0, bytes / 4), byteWidth / 4, lost);
  else zero(copy, byteWidth, lost);
  return new (source.constructor as TypedConstructor)(memory, 0, bytes / source.BYTES_PER_ELEMENT);
}

/** @param perValue units per value */
function zero(units: Int32Array | Uint8Array, perValue: number, lost: Int32Array): void {
  for (let i = 0; i < lost.length; i++) {
    let word = lost[i] as number;
    if (word === -1) {
      units.fill(0, 32 * i * perValue, 32 * (i + 1) * perValue);
      continue;
    }
    for (; word !== 0; word &= word - 1) {
      const at = (32 * i + lowestBit(word)) * perValue;
      units[at] = 0;
      for (let j = 1; j < perValue; j++) units[at + j] = 0;
    }
  }
}

/** Offsets of the result; a removed value has length 0. */
function keptOffsets(given: Int32Array, kept: Int32Array, length: number, allocate: Allocate): Int32Array {
  const bytes = new Uint8Array(kept.buffer);
  const offsets = new Int32Array(allocate(4 * (length + 1)), 0, length + 1);
  let start = given[0] as number;
  let total = 0;
  let row = 0;
  offsets[0] = 0;
  // Unrolled by four: the loop overhead exceeds the cost of the sums.
  for (const end = length - 3; row < end; row += 4) {
    const bits = (bytes[row >>> 3] as number) >>> (row & 4);
    const end1 = given[row + 1] as number;
    const end2 = given[row + 2] as number;
    const end3 = given[row + 3] as number;
    const end4 = given[row + 4] as number;
    const total1 = total + ((end1 - start) & -(bits & 1));
    const total2 = total1 + ((end2 - end1) & -((bits >>> 1) & 1));
    const total3 = total2 + ((end3 - end2) & -((bits >>> 2) & 1));
    total = total3 + ((end4 - end3) & -((bits >>> 3) & 1));
    offsets[row + 1] = total1;
    offsets[row + 2] = total2;
    offsets[row + 3] = total3;
    offsets[row + 4] = total;
    start = end4;
  }
  for (; row < length; row++) {
    if (isMasked(kept, row)) total += (given[row + 1] as number) - (given[row] as number);
    offsets[row + 1] = total;
  }
  return offsets;
}

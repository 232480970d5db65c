/**
 * Validates buffer contents against their type: ordered offsets within bounds, UTF-8 text, valid indices. Valid data is
 * readable to the last value without errors.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { malformed } from '../errors.ts';
import { bitAt } from './bits.ts';

/** Validity of the values; undefined if all are valid. The value of a null is arbitrary. */
export type Validity = Uint8Array | undefined;

/** Checks 32-bit offsets: first ≥ 0, never decreasing, last ≤ `limit`. */
export function checkOffsets32(offsets: Int32Array, limit: number): void {
  const [first, last] = [offsets[0] as number, offsets[offsets.length - 1] as number];
  if (first < 0) throw malformed(`its offsets begin at ${first}`);
  const fall = firstFall(offsets);
  if (fall > 0) throw malformed(`its offsets fall from ${offsets[fall - 1]} to ${offsets[fall]}`);
  if (last > limit) throw malformed(`its offsets lead to ${last}, beyond the ${limit} values or bytes that there are`);
}

/**
 * Index of the first number smaller than its predecessor, or 0. A separate function that does nothing after its loop:
 * V8 compiles a running long loop without feedback about the code after it. It then deoptimises there, and may stay 20
 * times slower.
 */
function firstFall(numbers: Int32Array): number {
  let previous = numbers[0] as number;
  for (let i = 1; i < numbers.length; i++) {
    const number = numbers[i] as number;
    if (number < previous) return i;
    previous = number;
  }
  return 0;
}

/**
 * Checks 64-bit offsets.
 * @returns them as numbers
 */
export function checkOffsets64(offsets: BigInt64Array, limit: number): Float64Array {
  const pairs = new Int32Array(offsets.buffer, offsets.byteOffset, 2 * offsets.length);
  const numbers = new Float64Array(offsets.length);
  let previous = 0;
  for (let i = 0; i < numbers.length; i++) {
    const offset = (pairs[2 * i + 1] as number) * 2 ** 32 + ((pairs[2 * i] as number) >>> 0);
    if (offset < previous || offset > limit) {
      throw malformed(`its offsets lead from ${previous} to ${offset}, in ${limit} values or bytes`);
    }
    numbers[i] = offset;
    previous = offset;
  }
  return numbers;
}

/**
 * Checks that each value is valid UTF-8.
 * @param offsets in order and in bounds
 */
export function checkText(bytes: Uint8Array, offsets: Int32Array | Float64Array, valid: Validity): void {
  const end = offsets[offsets.length - 1] as number;
  const whole = bytes.subarray(offsets[0], end);
  if (isAscii(whole)) return;
  // The whole buffer is UTF-8 and no value starts inside a character, so each value is UTF-8.
  if (isUtf8(whole) && offsets.every((offset) => offset >= end || ((bytes[offset] as number) & 0xc0) !== 0x80)) return;
  for (let i = 0; i + 1 < offsets.length; i++) {
    if (valid && !bitAt(valid, i)) continue;
    if (!isUtf8(bytes.subarray(offsets[i], offsets[i + 1]))) throw malformed(`its text value ${i} is not UTF-8`);
  }
}

const inlineBytes = 12;

/** Checks the 16-byte views of binary and text views. */
export function checkViews(
  views: Uint8Array,
  count: number,
  buffers: readonly Uint8Array[],
  text: boolean,
  valid: Validity,
): void {
  const view = new DataView(views.buffer, views.byteOffset, views.byteLength);
  for (let i = 0; i < count; i++) {
    if (valid && !bitAt(valid, i)) continue;
    const at = 16 * i;
    const bytes = viewBytes(view, views, at, buffers);
    if (!bytes) throw malformed(`its view ${i} points outside the buffers`);
    if (bytes.length > inlineBytes && bytes.subarray(0, 4).some((byte, j) => byte !== views[at + 4 + j])) {
      throw malformed(`its view ${i} has another prefix than its value`);
    }
    if (text && !isUtf8(bytes)) throw malformed(`its text value ${i} is not UTF-8`);
  }
}

function viewBytes(
  view: DataView,
  views: Uint8Array,
  at: number,
  buffers: readonly Uint8Array[],
): Uint8Array | undefined {
  const length = view.getInt32(at, true);
  if (length < 0) return undefined;
  if (length <= inlineBytes) return views.subarray(at + 4, at + 4 + length);
  const buffer = buffers[view.getInt32(at + 8, true)];
  const offset = view.getInt32(at + 12, true);
  return buffer && offset >= 0 && offset + length <= buffer.length
    ? buffer.subarray(offset, offset + length)
    : undefined;
}

export type Indices =
  | Int8Array
  | Int16Array
  | Int32Array
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array;

/** Checks that indices refer to one of the `size` values of their dictionary. */
export function checkIndices(indices: Indices, size: number, valid: Validity): void {
  for (let i = 0; i < indices.length; i++) {
    const index = indices[i] as number | bigint;
    if (index >= 0 && index < size) continue;
    if (valid && !bitAt(valid, i)) continue;
    throw malformed(`its index ${index} is outside a dictionary of ${size} values`);
  }
}

/** Checks the type ids of a union, and the child offsets of a dense one. */
export function checkUnion(
  ids: Int8Array,
  offsets: Int32Array | undefined,
  typeIds: Int32Array,
  childLengths: readonly number[],
): void {
  const lengthOf = new Float64Array(128).fill(-1);
  typeIds.forEach((id, i) => {
    lengthOf[id] = childLengths[i] as number;
  });
  for (let i = 0; i < ids.length; i++) {
    const length = lengthOf[ids[i] as number] ?? -1;
    const offset = offsets ? (offsets[i] as number) : i;
    if (length < 0) throw malformed(`its union value ${i} has the type id ${ids[i]}`);
    if (offset < 0 || offset >= length) throw malformed(`its union value ${i} is at ${offset} of ${length} values`);
  }
}

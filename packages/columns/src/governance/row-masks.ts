/**
 * Sets of batch rows: one bit per row in 32-bit words, in Arrow's bit order. A set can therefore serve as the validity
 * bitmap of a column. A word with no or only members is handled in one step. Bits after the last row are 0.
 */
import { bitsFrom } from '@topo-bench/arrow-flight/ipc';
import type { Data } from 'apache-arrow';

/** Rows by position in the original batch; `all` means every row. */
export type RowMask = Int32Array | 'all';

/** The empty set. */
export function noRows(rows: number): Int32Array {
  return new Int32Array((rows + 31) >>> 5);
}

/**
 * The rows with one of the codes.
 * @param codeCount exclusive upper bound of the codes
 */
export function rowsWithCodes(codes: Int32Array, memberCodes: readonly number[], codeCount: number): Int32Array {
  const isMember = new Uint8Array(codeCount);
  for (const code of memberCodes) isMember[code] = 1;
  const { length } = codes;
  const mask = noRows(length);
  const bytes = new Uint8Array(mask.buffer);
  let row = 0;
  // Assembles each byte in a register: single-bit writes would wait for each other in memory.
  for (const end = length - 7; row < end; row += 8) {
    bytes[row >>> 3] =
      (isMember[codes[row] as number] as number) |
      ((isMember[codes[row + 1] as number] as number) << 1) |
      ((isMember[codes[row + 2] as number] as number) << 2) |
      ((isMember[codes[row + 3] as number] as number) << 3) |
      ((isMember[codes[row + 4] as number] as number) << 4) |
      ((isMember[codes[row + 5] as number] as number) << 5) |
      ((isMember[codes[row + 6] as number] as number) << 6) |
      ((isMember[codes[row + 7] as number] as number) << 7);
  }
  for (; row < length; row++) {
    bytes[row >>> 3] = (bytes[row >>> 3] as number) | ((isMember[codes[row] as number] as number) << (row & 7));
  }
  return mask;
}

/** The bits of a bitmap, starting at `from`. */
export function maskOf(bitmap: Uint8Array, from: number, rows: number): Int32Array {
  const mask = noRows(rows);
  new Uint8Array(mask.buffer).set(bitsFrom(bitmap, from, rows));
  return withoutTail(mask, rows);
}

/** The rows with a value. */
export function validRows({ nullCount, nullBitmap, offset, length }: Data): RowMask {
  return nullCount === 0 ? 'all' : maskOf(nullBitmap, offset, length);
}

export function isMasked(mask: RowMask | undefined, row: number): boolean {
  return mask !== undefined && (mask === 'all' || (((mask[row >>> 5] as number) >>> row) & 1) === 1);
}

export function eitherOf(first: RowMask | undefined, second: RowMask | undefined): RowMask | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  if (first === 'all' || second === 'all') return 'all';
  const rows = first.slice();
  for (let i = 0; i < rows.length; i++) rows[i] = (rows[i] as number) | (second[i] as number);
  return rows;
}

export function bothOf(first: RowMask, second: RowMask): RowMask {
  if (first === 'all' || second === 'all') return first === 'all' ? second : first;
  const rows = first.slice();
  for (let i = 0; i < rows.length; i++) rows[i] = (rows[i] as number) & (second[i] as number);
  return rows;
}

/** @param rows of the batch */
export function outside(mask: Int32Array, rows: number): Int32Array {
  const others = mask.slice();
  for (let i = 0; i < others.length; i++) others[i] = ~(others[i] as number);
  return withoutTail(others, rows);
}

/** Number of members. */
export function memberCount(mask: Int32Array): number {
  let count = 0;
  for (let i = 0; i < mask.length; i++) {
    // Sums of 2, 4 and 8 neighbouring bits, then of the 4 bytes.
    let word = mask[i] as number;
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}

/** The members in order. */
export function membersOf(mask: Int32Array): Int32Array {
  const rows = new Int32Array(memberCount(mask));
  let count = 0;
  for (let i = 0; i < mask.length; i++) {
    for (let word = mask[i] as number; word !== 0; word &= word - 1) rows[count++] = 32 * i + lowestBit(word);
  }
  return rows;
}

/** Index of the lowest set bit; `word &= word - 1` clears it. */
export function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}

function withoutTail(mask: Int32Array, rows: number): Int32Array {
  const bits = rows & 31;
  if (bits > 0) mask[rows >>> 5] = (mask[rows >>> 5] as number) & ((1 << bits) - 1);
  return mask;
}

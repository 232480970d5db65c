/** Copies texts of rows that lie apart, one after the other: mostly a few words each, for which no call is worth it. */
import { lowestBit } from './row-masks.ts';
import { unwritten } from './unwritten.ts';

/** Runs of bytes longer than this are worth a call. */
const longRun = 256;
const stepBytes = 8;

/**
 * The values of a set of rows.
 * @param offsets of the values by row, and of the end of the last
 * @param total bytes of those of the set
 */
export function copyValues(source: Uint8Array, offsets: Int32Array, kept: Int32Array, total: number): Uint8Array {
  const copy = new ValueCopy(source, total);
  let at = 0;
  for (let i = 0; i < kept.length; i++) {
    let word = kept[i] as number;
    if (word === -1) at = copy.put(offsets[32 * i] as number, offsets[32 * i + 32] as number, at);
    else {
      for (; word !== 0; word &= word - 1) {
        const row = 32 * i + lowestBit(word);
        at = copy.put(offsets[row] as number, offsets[row + 1] as number, at);
      }
    }
  }
  return copy.done(total);
}

/**
 * The values of rows in the order given.
 * @param ends where each value ends in the copy, from 0 on; a row without a value has no length there
 */
export function copyRows(source: Uint8Array, offsets: Int32Array, rows: Int32Array, ends: Int32Array): Uint8Array {
  const total = ends[rows.length] as number;
  const copy = new ValueCopy(source, total);
  let at = 0;
  for (let i = 0; i < rows.length; i++) {
    const length = (ends[i + 1] as number) - at;
    if (length === 0) continue;
    const start = offsets[rows[i] as number] as number;
    at = copy.put(start, start + length, at);
  }
  return copy.done(total);
}

class ValueCopy {
  private readonly bytes: Uint8Array;
  private readonly from: DataView;
  private readonly to: DataView;
  private readonly lastStep: number;

  constructor(
    private readonly source: Uint8Array,
    total: number,
  ) {
    // A step may reach beyond the end of a value: the next one lies over that, and what is behind the last is erased.
    this.bytes = new Uint8Array(unwritten(total + stepBytes));
    this.from = new DataView(source.buffer, source.byteOffset, source.byteLength);
    this.to = new DataView(this.bytes.buffer);
    this.lastStep = source.length - stepBytes;
  }

  /** @param at where the bytes come to lie. @returns where they end */
  put(start: number, end: number, at: number): number {
    const stop = at + end - start;
    if (end - start > longRun || end > this.lastStep) this.bytes.set(this.source.subarray(start, end), at);
    else {
      for (let read = start, write = at; write < stop; write += stepBytes, read += stepBytes) {
        this.to.setInt32(write, this.from.getInt32(read, true), true);
        this.to.setInt32(write + 4, this.from.getInt32(read + 4, true), true);
      }
    }
    return stop;
  }

  done(total: number): Uint8Array {
    this.bytes.fill(0, total);
    return this.bytes.subarray(0, total);
  }
}

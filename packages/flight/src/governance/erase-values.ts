/**
 * Takes values out of a column whose rows all stay: the way of most redactions, and so the one that is made fast. Each loop goes over the rows once, in
 * order, and has no branch where rows are withheld at random: a processor would guess every other one wrong. Memory is taken as it is and
 * written to its last byte, since to have it zeroed first costs as much as the work on it.
 */
import { BufferType, Data, type DataType } from 'apache-arrow';
import { bitAt, bitmapBytes } from '../ipc/bits.ts';
import { layoutOf } from '../ipc/layout.ts';
import type { TypedArray, TypedConstructor } from './gather-values.ts';
import { Scratch } from './scratch.ts';

/** Runs of bytes longer than this are worth a call. */
const longRun = 256;
const stepBytes = 8;
const scratch = new Scratch();

/** Whether values of the type lie one after the other in words of four bytes, or behind offsets of 32 bits. */
export function isErasable(type: DataType): boolean {
  const layout = layoutOf(type);
  return layout.kind === 'fixed' ? layout.byteWidth % 4 === 0 : layout.kind === 'variable' && layout.offsetBytes === 4;
}

/**
 * The column with nulls in place of the values of these rows, which are in no buffer of it.
 * @param data of an erasable type; @param removed a byte per row, 1 where the value goes
 */
export function eraseValues(type: DataType, data: Data, removed: Uint8Array): Data {
  const layout = layoutOf(type);
  const lost = data.nullCount === 0 ? removed : withNulls(removed, data);
  const { nullBitmap, nullCount } = validityOf(lost);
  const values = layout.kind === 'fixed' ? fixed(data, lost, layout.byteWidth / 4) : variable(data, lost);
  return new Data(type, 0, data.length, nullCount, { ...values, [BufferType.VALIDITY]: nullBitmap });
}

function withNulls(removed: Uint8Array, { nullBitmap, offset }: Data): Uint8Array {
  return removed.map((is, row) => is | Number(!bitAt(nullBitmap, offset + row)));
}

interface Validity {
  nullBitmap: Uint8Array;
  nullCount: number;
}

/** Columns of a batch mostly lose the same rows, and share what says so. */
const validities = new WeakMap<Uint8Array, Validity>();

function validityOf(lost: Uint8Array): Validity {
  const known = validities.get(lost) ?? validity(lost);
  validities.set(lost, known);
  return known;
}

function validity(lost: Uint8Array): Validity {
  const nullBitmap = new Uint8Array(bitmapBytes(lost.length));
  let nullCount = 0;
  // Bytes of 0 and 1 become bits, four at a time: each word is folded until its last four bits are those of its bytes.
  const words = new Int32Array(lost.buffer, lost.byteOffset, lost.length >>> 2);
  const { length: wordCount } = words;
  for (let i = 0; i < wordCount; i++) {
    let word = words[i] as number;
    nullCount += Math.imul(word, 0x01010101) >>> 24;
    word |= word >>> 7;
    word |= word >>> 14;
    nullBitmap[i >>> 1] = (nullBitmap[i >>> 1] as number) | ((~word & 15) << ((i & 1) << 2));
  }
  for (let row = 4 * words.length; row < lost.length; row++) {
    const is = lost[row] as number;
    nullCount += is;
    nullBitmap[row >>> 3] = (nullBitmap[row >>> 3] as number) | ((is ^ 1) << (row & 7));
  }
  return { nullBitmap, nullCount };
}

function fixed(data: Data, lost: Uint8Array, wordsPerValue: number): { [BufferType.DATA]: TypedArray } {
  const source = data.values as TypedArray;
  const words = new Int32Array(source.buffer, source.byteOffset, lost.length * wordsPerValue);
  const kept = new Int32Array(unwritten(words.byteLength));
  if (wordsPerValue === 2) keepPairs(words, kept, lost);
  else {
    for (let row = 0, at = 0; row < lost.length; row++) {
      const keep = (lost[row] as number) - 1;
      for (const end = at + wordsPerValue; at < end; at++) kept[at] = (words[at] as number) & keep;
    }
  }
  return { [BufferType.DATA]: new (source.constructor as TypedConstructor)(kept.buffer) };
}

/** Values of 64 bits, what most columns are: two rows at a time. `keep` is all ones for a row, all zeros for none. */
function keepPairs(words: Int32Array, kept: Int32Array, lost: Uint8Array): void {
  const even = lost.length & ~1;
  for (let row = 0, at = 0; row < even; row += 2, at += 4) {
    const keep = (lost[row] as number) - 1;
    const keepNext = (lost[row + 1] as number) - 1;
    kept[at] = (words[at] as number) & keep;
    kept[at + 1] = (words[at + 1] as number) & keep;
    kept[at + 2] = (words[at + 2] as number) & keepNext;
    kept[at + 3] = (words[at + 3] as number) & keepNext;
  }
  if (even === lost.length) return;
  const keep = (lost[even] as number) - 1;
  kept[2 * even] = (words[2 * even] as number) & keep;
  kept[2 * even + 1] = (words[2 * even + 1] as number) & keep;
}

function variable(data: Data, lost: Uint8Array): { [BufferType.OFFSET]: Int32Array; [BufferType.DATA]: Uint8Array } {
  const given = data.valueOffsets as Int32Array;
  const offsets = new Int32Array(unwritten(4 * (lost.length + 1)));
  const starts = scratch.take(lost.length);
  const runs = keptOffsets(given, lost, offsets, starts);
  return { [BufferType.OFFSET]: offsets, [BufferType.DATA]: copyRuns(data, offsets, starts.subarray(0, runs)) };
}

/** Writes where the values come to lie, and the rows at which values begin that follow one another. @returns how many such */
function keptOffsets(given: Int32Array, lost: Uint8Array, offsets: Int32Array, starts: Int32Array): number {
  const { length } = lost;
  let runs = 0;
  let total = 0;
  let lostBefore = 1;
  let start = given[0] as number;
  offsets[0] = 0;
  for (let row = 0; row < length; row++) {
    const isLost = lost[row] as number;
    const end = given[row + 1] as number;
    starts[runs] = row;
    runs += lostBefore & (isLost ^ 1);
    total += (end - start) & (isLost - 1);
    offsets[row + 1] = total;
    lostBefore = isLost;
    start = end;
  }
  return runs;
}

function copyRuns(data: Data, offsets: Int32Array, starts: Int32Array): Uint8Array {
  const given = data.valueOffsets as Int32Array;
  const total = offsets[offsets.length - 1] as number;
  const source = data.values as Uint8Array;
  // A step may reach beyond the end of a run: the next run lies over that, and what is behind the last is erased.
  const memory = new Uint8Array(unwritten(total + stepBytes));
  const from = new DataView(source.buffer, source.byteOffset, source.byteLength);
  const to = new DataView(memory.buffer);
  const { length: runs } = starts;
  const lastStep = source.length - stepBytes;
  let at = 0;
  for (let run = 0; run < runs; run++) {
    let read = given[starts[run] as number] as number;
    const stop = run + 1 < runs ? (offsets[starts[run + 1] as number] as number) : total;
    if (stop - at > longRun || read + (stop - at) > lastStep) {
      memory.set(source.subarray(read, read + (stop - at)), at);
    } else {
      for (; at < stop; at += stepBytes, read += stepBytes) {
        to.setInt32(at, from.getInt32(read, true), true);
        to.setInt32(at + 4, from.getInt32(read + 4, true), true);
      }
    }
    at = stop;
  }
  memory.fill(0, total);
  return memory.subarray(0, total);
}

/** Memory with anything in it. */
function unwritten(bytes: number): ArrayBuffer {
  return Buffer.allocUnsafeSlow(bytes).buffer as ArrayBuffer;
}

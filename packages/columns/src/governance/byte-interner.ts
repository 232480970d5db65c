/**
 * Numbers byte runs in order of first appearance. A hash table over the bytes avoids decoding them to strings. Short
 * runs, such as region codes, are one or two words and hit a small cache in front of it.
 */

import { slotBits, tinyBytes, tinySlot, tinyWord } from './tiny-runs.ts';

const shortBytes = 8;
/** Masks of the first and of the second word, by run length. */
const firstWord = Int32Array.from({ length: shortBytes + 1 }, (_, bytes) => (bytes >= 4 ? -1 : (1 << (8 * bytes)) - 1));
const secondWord = Int32Array.from({ length: shortBytes + 1 }, (_, bytes) =>
  bytes === 8 ? -1 : (1 << (8 * Math.max(0, bytes - 4))) - 1,
);

export class ByteInterner {
  /** Per slot: first word, second word, length + 1, number. */
  private readonly short = new Int32Array(4 << slotBits);
  /** Per slot: the word of a tiny run including its length + 1 (0 for an empty slot). */
  private readonly tinyWords = new Int32Array(1 << slotBits);
  private readonly tinyNumbers = new Int32Array(1 << slotBits);
  private table = new Int32Array(1024).fill(-1);
  private hashes: number[] = [];
  private starts: number[] = [0];
  private bytes = new Uint8Array(4096);
  private view = new DataView(this.bytes.buffer);

  /** Number of distinct runs. */
  get size(): number {
    return this.hashes.length;
  }

  /**
   * The number of `source[from, to)`, assigned on first appearance.
   * @param view of the same bytes
   */
  of(source: Uint8Array, view: DataView, from: number, to: number): number {
    const length = to - from;
    if (length > shortBytes || from + shortBytes > source.length) return this.find(source, view, from, to);
    const first = view.getInt32(from, true) & (firstWord[length] as number);
    const second = view.getInt32(from + 4, true) & (secondWord[length] as number);
    const { short } = this;
    const at = slotOf(first, second);
    if (short[at] === first && short[at + 1] === second && short[at + 2] === length + 1) return short[at + 3] as number;
    const number = this.find(source, view, from, to);
    short.set([first, second, length + 1, number], at);
    return number;
  }

  /**
   * The numbers of all runs between offsets, plus one. A separate loop, since it visits every row of a stream: four
   * known tiny runs at a time, without a branch per run.
   */
  numbersOf(source: Uint8Array, offsets: Int32Array, numbers: Int32Array): void {
    const { tinyWords, tinyNumbers } = this;
    const { length: count } = numbers;
    // Local copies: the engine reloads module constants for every row.
    const slotShift = 32 - slotBits;
    const maxTiny = tinyBytes;
    const view = new DataView(source.buffer, source.byteOffset, source.byteLength);
    const lastWord = source.length - 4;
    let i = 0;
    for (const end = count - 3; i < end; i += 4) {
      const start1 = offsets[i] as number;
      const start2 = offsets[i + 1] as number;
      const start3 = offsets[i + 2] as number;
      const start4 = offsets[i + 3] as number;
      const length1 = start2 - start1;
      const length2 = start3 - start2;
      const length3 = start4 - start3;
      const length4 = (offsets[i + 4] as number) - start4;
      if ((length1 | length2 | length3 | length4) <= maxTiny && start4 <= lastWord) {
        const word1 = tinyWord(view.getInt32(start1, true), length1);
        const word2 = tinyWord(view.getInt32(start2, true), length2);
        const word3 = tinyWord(view.getInt32(start3, true), length3);
        const word4 = tinyWord(view.getInt32(start4, true), length4);
        const slot1 = tinySlot(word1, slotShift);
        const slot2 = tinySlot(word2, slotShift);
        const slot3 = tinySlot(word3, slotShift);
        const slot4 = tinySlot(word4, slotShift);
        const unknown =
          ((tinyWords[slot1] as number) ^ word1) |
          ((tinyWords[slot2] as number) ^ word2) |
          ((tinyWords[slot3] as number) ^ word3) |
          ((tinyWords[slot4] as number) ^ word4);
        if (unknown === 0) {
          numbers[i] = tinyNumbers[slot1] as number;
          numbers[i + 1] = tinyNumbers[slot2] as number;
          numbers[i + 2] = tinyNumbers[slot3] as number;
          numbers[i + 3] = tinyNumbers[slot4] as number;
          continue;
        }
      }
      for (let row = i; row < i + 4; row++) numbers[row] = this.number(source, view, offsets, row);
    }
    for (; i < count; i++) numbers[i] = this.number(source, view, offsets, i);
  }

  /** The number of one run between offsets, plus one. Caches tiny runs. */
  private number(source: Uint8Array, view: DataView, offsets: Int32Array, row: number): number {
    const from = offsets[row] as number;
    const to = offsets[row + 1] as number;
    const number = 1 + this.of(source, view, from, to);
    if (to - from <= tinyBytes && from + 4 <= source.length) {
      const word = tinyWord(view.getInt32(from, true), to - from);
      const slot = tinySlot(word, 32 - slotBits);
      this.tinyWords[slot] = word;
      this.tinyNumbers[slot] = number;
    }
    return number;
  }

  private find(source: Uint8Array, view: DataView, from: number, to: number): number {
    // FNV-1a over whole words where possible, with the upper bits folded in.
    let hash = 0x811c9dc5;
    let at = from;
    for (; at + 4 <= to; at += 4) {
      hash = Math.imul(hash ^ view.getInt32(at, true), 0x01000193);
      hash ^= hash >>> 15;
    }
    for (; at < to; at++) hash = Math.imul(hash ^ (source[at] as number), 0x01000193);
    const mask = this.table.length - 1;
    for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const number = this.table[slot] as number;
      if (number < 0) return this.add(source, from, to, hash, slot);
      if (this.hashes[number] === hash && this.equals(number, source, view, from, to)) return number;
    }
  }

  private equals(number: number, source: Uint8Array, view: DataView, from: number, to: number): boolean {
    const start = this.starts[number] as number;
    if ((this.starts[number + 1] as number) - start !== to - from) return false;
    let at = from;
    let own = start;
    for (; at + 4 <= to; at += 4, own += 4) if (this.view.getInt32(own, true) !== view.getInt32(at, true)) return false;
    for (; at < to; at++, own++) if (this.bytes[own] !== source[at]) return false;
    return true;
  }

  private add(source: Uint8Array, from: number, to: number, hash: number, slot: number): number {
    const number = this.size;
    const start = this.starts[number] as number;
    const end = start + to - from;
    if (end > this.bytes.length) {
      const larger = new Uint8Array(2 * end);
      larger.set(this.bytes.subarray(0, start));
      this.bytes = larger;
      this.view = new DataView(larger.buffer);
    }
    this.bytes.set(source.subarray(from, to), start);
    this.hashes.push(hash);
    this.starts.push(end);
    this.table[slot] = number;
    if (2 * this.size > this.table.length) this.grow();
    return number;
  }

  private grow(): void {
    this.table = new Int32Array(4 * this.table.length).fill(-1);
    const mask = this.table.length - 1;
    this.hashes.forEach((hash, number) => {
      let slot = (hash ^ (hash >>> 15)) & mask;
      while ((this.table[slot] as number) >= 0) slot = (slot + 1) & mask;
      this.table[slot] = number;
    });
  }
}

function slotOf(first: number, second: number): number {
  return ((Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca77)) >>> (32 - slotBits)) << 2;
}

/**
 * Decides the rows of a batch by one column of texts, as long as its values lead to two different decisions at most.
 * Most rules do so: a region is in the EU or not. One bit per row then suffices, and it is the mask of the redaction:
 * values become bits without a code per row.
 */
import type { Decision } from '@topo-bench/core/facts';
import type { Data } from 'apache-arrow';
import type { BatchDecisions } from './batch-decisions.ts';
import { ByteInterner } from './byte-interner.ts';
import { memberCount, noRows, outside, type RowMask } from './row-masks.ts';
import { slotBits, tinyBytes, tinySlot, tinyWord } from './tiny-runs.ts';

/** Max number of different values; bounds the memory of a stream. */
const maxValues = 1 << 16;

type Decide = (row: number) => Decision;

export class TwoDecisions {
  private readonly decisions: Decision[] = [];
  private readonly interner = new ByteInterner();
  /** Index of the decision by number of the value. */
  private readonly ofValue: number[] = [];
  /** Per slot: the word of a tiny value (0 for an empty slot), and the index of its decision. */
  private readonly words = new Int32Array(1 << slotBits);
  private readonly ofWord = new Uint8Array(1 << slotBits);
  private isOver = false;

  /**
   * @param decide called for the first row of each value
   * @returns undefined for a batch with nulls, and for all batches once there is a third decision or too many values
   */
  of(data: Data, decide: Decide): BatchDecisions | undefined {
    if (this.isOver || data.nullCount > 0) return undefined;
    const mask = this.maskOf(data, decide);
    this.isOver = mask === undefined || this.interner.size > maxValues;
    if (!mask) return undefined;
    const { length } = data;
    const second = memberCount(mask);
    const rowsOf = (codes: readonly number[]): RowMask => {
      if (codes.length === 0) return noRows(length);
      if (codes.length === 2) return 'all';
      return codes[0] === 0 ? outside(mask, length) : mask;
    };
    return { decisions: this.decisions, counts: Int32Array.of(length - second, second), rowsOf };
  }

  /** The rows with the second decision; undefined if there is a third. Eight known tiny values at a time. */
  private maskOf({ values, valueOffsets, length }: Data, decide: Decide): Int32Array | undefined {
    const { words, ofWord } = this;
    const source = values as Uint8Array;
    const offsets = valueOffsets as Int32Array;
    const view = new DataView(source.buffer, source.byteOffset, source.byteLength);
    const mask = noRows(length);
    const bytes = new Uint8Array(mask.buffer);
    // Local copies: the engine reloads module constants for every row.
    const slotShift = 32 - slotBits;
    const maxTiny = tinyBytes;
    const lastWord = source.length - 4;
    for (let row = 0; row < length; row += 8) {
      if (row + 8 <= length) {
        const start1 = offsets[row] as number;
        const start2 = offsets[row + 1] as number;
        const start3 = offsets[row + 2] as number;
        const start4 = offsets[row + 3] as number;
        const start5 = offsets[row + 4] as number;
        const start6 = offsets[row + 5] as number;
        const start7 = offsets[row + 6] as number;
        const start8 = offsets[row + 7] as number;
        const length1 = start2 - start1;
        const length2 = start3 - start2;
        const length3 = start4 - start3;
        const length4 = start5 - start4;
        const length5 = start6 - start5;
        const length6 = start7 - start6;
        const length7 = start8 - start7;
        const length8 = (offsets[row + 8] as number) - start8;
        const lengths = length1 | length2 | length3 | length4 | length5 | length6 | length7 | length8;
        if (lengths <= maxTiny && start8 <= lastWord) {
          const word1 = tinyWord(view.getInt32(start1, true), length1);
          const word2 = tinyWord(view.getInt32(start2, true), length2);
          const word3 = tinyWord(view.getInt32(start3, true), length3);
          const word4 = tinyWord(view.getInt32(start4, true), length4);
          const word5 = tinyWord(view.getInt32(start5, true), length5);
          const word6 = tinyWord(view.getInt32(start6, true), length6);
          const word7 = tinyWord(view.getInt32(start7, true), length7);
          const word8 = tinyWord(view.getInt32(start8, true), length8);
          const slot1 = tinySlot(word1, slotShift);
          const slot2 = tinySlot(word2, slotShift);
          const slot3 = tinySlot(word3, slotShift);
          const slot4 = tinySlot(word4, slotShift);
          const slot5 = tinySlot(word5, slotShift);
          const slot6 = tinySlot(word6, slotShift);
          const slot7 = tinySlot(word7, slotShift);
          const slot8 = tinySlot(word8, slotShift);
          const unknown =
            ((words[slot1] as number) ^ word1) |
            ((words[slot2] as number) ^ word2) |
            ((words[slot3] as number) ^ word3) |
            ((words[slot4] as number) ^ word4) |
            ((words[slot5] as number) ^ word5) |
            ((words[slot6] as number) ^ word6) |
            ((words[slot7] as number) ^ word7) |
            ((words[slot8] as number) ^ word8);
          if (unknown === 0) {
            bytes[row >>> 3] =
              (ofWord[slot1] as number) |
              ((ofWord[slot2] as number) << 1) |
              ((ofWord[slot3] as number) << 2) |
              ((ofWord[slot4] as number) << 3) |
              ((ofWord[slot5] as number) << 4) |
              ((ofWord[slot6] as number) << 5) |
              ((ofWord[slot7] as number) << 6) |
              ((ofWord[slot8] as number) << 7);
            continue;
          }
        }
      }
      let byte = 0;
      for (let at = row; at < Math.min(row + 8, length); at++) {
        const index = this.indexOf(source, view, offsets, at, decide);
        if (index > 1) return undefined;
        byte |= index << (at & 7);
      }
      bytes[row >>> 3] = byte;
    }
    return mask;
  }

  /** Index of the decision of one row. Caches tiny values. */
  private indexOf(source: Uint8Array, view: DataView, offsets: Int32Array, row: number, decide: Decide): number {
    const from = offsets[row] as number;
    const to = offsets[row + 1] as number;
    const value = this.interner.of(source, view, from, to);
    this.ofValue[value] ??= this.indexOfDecision(decide(row));
    const index = this.ofValue[value] as number;
    if (to - from <= tinyBytes && from + 4 <= source.length) {
      const word = tinyWord(view.getInt32(from, true), to - from);
      const slot = tinySlot(word, 32 - slotBits);
      this.words[slot] = word;
      this.ofWord[slot] = index;
    }
    return index;
  }

  private indexOfDecision(decision: Decision): number {
    const text = JSON.stringify(decision);
    const known = this.decisions.findIndex((one) => JSON.stringify(one) === text);
    return known >= 0 ? known : this.decisions.push(decision) - 1;
  }
}

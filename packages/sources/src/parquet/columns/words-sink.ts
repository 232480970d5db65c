/**
 * Numbers of pages, as words of 32 bits. A column of Arrow has the same words, or those of 128-bit decimals. Each
 * page goes there in one loop, without a call for each value or null.
 */
import { type Data, type DataType, makeData, Type } from 'apache-arrow';
import type { Page } from './chunk-pages.ts';
import type { ValueSink } from './value-sink.ts';
import { type Gaps, gatherWords, spreadWords, unwrittenWords, WordBuffer, widen32, widen64, wordsOf } from './words.ts';

export class WordsSink implements ValueSink {
  readonly #type: DataType;
  /** Words of a stored value. */
  readonly #words: 1 | 2;
  readonly #isDecimal: boolean;
  #entries: Int32Array = new Int32Array(0);
  readonly #copies = new WordBuffer();
  /** Those of the page. */
  #values: Int32Array = new Int32Array(0);
  /** Nulls of the page that have been appended. */
  #passed = 0;
  #rows = 0;
  #out: Int32Array = new Int32Array(0);
  /** The null bitmap, from the first null of the batch on. */
  #valid: Uint8Array | undefined;
  #nulls = 0;

  constructor(type: DataType, words: 1 | 2) {
    this.#type = type;
    this.#words = words;
    this.#isDecimal = type.typeId === Type.Decimal;
  }

  dictionary(plain: Uint8Array, entries: number): void {
    this.#entries = wordsOf(plain, entries * this.#words);
  }

  begin(rows: number): void {
    this.#rows = rows;
    this.#out = unwrittenWords(rows * (this.#isDecimal ? 4 : this.#words));
    this.#valid = undefined;
    this.#nulls = 0;
  }

  open({ plain, indexes, values }: Page): void {
    this.#passed = 0;
    const words = values * this.#words;
    if (plain) this.#values = wordsOf(plain, words, this.#copies);
    else {
      this.#values = this.#copies.words(words);
      gatherWords(this.#entries, this.#words, indexes as Int32Array, this.#values);
    }
  }

  append({ nulls: { places, count: known } }: Page, from: number, row: number, count: number): void {
    const start = this.#passed;
    let end = start;
    while (end < known && (places[end] as number) < from + count) end++;
    const gaps = { places, from, start, end };
    this.#passed = end;
    const words = this.#words;
    const values = this.#values.subarray((from - start) * words, (from + count - end) * words);
    const stride = this.#isDecimal ? 4 : words;
    const target = this.#out.subarray(row * stride, (row + count) * stride);
    if (!this.#isDecimal) spreadWords(values, words, gaps, target);
    else if (words === 1) widen32(values, gaps, target);
    else widen64(values, gaps, target);
    if (start < end) this.#setNulls(gaps, row);
  }

  finish(): Data {
    const ArrowArray = this.#type.ArrayType as typeof Int32Array;
    const made = { type: this.#type, length: this.#rows, nullCount: this.#nulls, nullBitmap: this.#valid };
    return makeData({ ...made, data: new ArrowArray(this.#out.buffer) } as never) as Data;
  }

  #setNulls({ places, from, start, end }: Gaps, row: number): void {
    this.#valid ??= new Uint8Array((this.#rows + 7) >>> 3).fill(0xff);
    const valid = this.#valid;
    for (let gap = start; gap < end; gap++) {
      const place = row - from + (places[gap] as number);
      valid[place >>> 3] = (valid[place >>> 3] as number) & ~(1 << (place & 7));
    }
    this.#nulls += end - start;
  }
}

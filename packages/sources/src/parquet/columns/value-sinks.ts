/** Values of pages go into the buffers of Arrow columns: words for numbers, bytes for texts. */
import { type Data, type DataType, Type } from 'apache-arrow';
import { BytesBuilder } from '../../columns/bytes-builder.ts';
import { type FixedArray, FixedBuilder } from '../../columns/column-builder.ts';
import type { Page } from './chunk-pages.ts';

/** Where the values of the pages of one column go. */
export interface ValueSink {
  /** @throws RangeError for fewer values than entries */
  dictionary(plain: Uint8Array, entries: number): void;
  /** Opens a page; its values are appended in parts. @throws RangeError for fewer values than the page has */
  open(page: Page): void;
  /** Appends the next rows of the page, of which the first is row `from` of it and row `row` of the column. */
  append(page: Page, from: number, row: number, count: number): void;
  finish(rows: number): Data;
}

/** @param words of a stored value */
export function sinkOf(type: DataType, path: string, capacity: number, words: 1 | 2 | undefined): ValueSink {
  return words === undefined ? new BytesSink(type, path, capacity) : new WordsSink(type, path, capacity, words);
}

class WordsSink implements ValueSink {
  readonly #builder: FixedBuilder;
  readonly #isDecimal: boolean;
  readonly #words: 1 | 2;
  #entries: Int32Array = new Int32Array(0);
  #gathered: Int32Array = new Int32Array(0);
  #values: Int32Array = new Int32Array(0);
  /** Values of the page that have been appended. */
  #taken = 0;
  /** Nulls of the page that have been appended. */
  #passed = 0;

  constructor(type: DataType, path: string, capacity: number, words: 1 | 2) {
    this.#isDecimal = type.typeId === Type.Decimal;
    this.#words = words;
    this.#builder = new FixedBuilder<FixedArray>(type, path, capacity, this.#isDecimal ? 4 : 1);
  }

  dictionary(plain: Uint8Array, entries: number): void {
    this.#entries = wordsOf(plain, entries * this.#words);
  }

  open({ plain, indexes, values }: Page): void {
    this.#taken = 0;
    this.#passed = 0;
    this.#values = plain ? wordsOf(plain, values * this.#words) : this.#gather(indexes as Int32Array, values);
  }

  append({ nulls }: Page, from: number, row: number, count: number): void {
    if (count === 0) return;
    const builder = this.#builder;
    builder.reserve(row + count - 1);
    const out = new Int32Array(builder.values.buffer as ArrayBuffer);
    // New buffers are zero: rows without a value keep that.
    let next = row;
    for (const end = row + count; next < end; next++) {
      const isNull = this.#passed < nulls.count;
      const stop = isNull ? Math.min(row - from + (nulls.places[this.#passed] as number), end) : end;
      if (this.#isDecimal) this.#writeDecimals(out, next, stop);
      else this.#write(out, next, stop);
      next = stop;
      if (stop === end) break;
      builder.setNull(stop);
      this.#passed++;
    }
  }

  finish(rows: number): Data {
    return this.#builder.finish(rows);
  }

  /** The next values, as those of the rows from `row` to `end`. */
  #write(out: Int32Array, row: number, end: number): void {
    const [values, words] = [this.#values, this.#words];
    let at = this.#taken * words;
    this.#taken += end - row;
    if (end - row > loopRows) out.set(values.subarray(at, this.#taken * words), row * words);
    else for (let place = row * words; place < end * words; place++) out[place] = values[at++] as number;
  }

  /** 128 bits, with the sign in the words above the value. */
  #writeDecimals(out: Int32Array, row: number, end: number): void {
    const [values, words] = [this.#values, this.#words];
    let at = this.#taken * words;
    this.#taken += end - row;
    for (let place = 4 * row; place < 4 * end; place += 4, at += words) {
      const low = values[at] as number;
      const high = words === 2 ? (values[at + 1] as number) : low >> 31;
      out[place] = low;
      if (high === 0) continue;
      const sign = high >> 31;
      out[place + 1] = high;
      out[place + 2] = sign;
      out[place + 3] = sign;
    }
  }

  #gather(indexes: Int32Array, count: number): Int32Array {
    const [entries, words] = [this.#entries, this.#words];
    const known = entries.length / words;
    if (this.#gathered.length < count * words) this.#gathered = new Int32Array(count * words);
    const gathered = this.#gathered;
    for (let i = 0; i < count; i++) {
      const index = indexes[i] as number;
      if (index >= known) throw new RangeError(`got entry ${index} of a dictionary with ${known}`);
      if (words === 1) gathered[i] = entries[index] as number;
      else {
        gathered[2 * i] = entries[2 * index] as number;
        gathered[2 * i + 1] = entries[2 * index + 1] as number;
      }
    }
    return gathered;
  }
}

/** Up to here, a loop is faster than a call of the runtime. */
const loopRows = 64;

class BytesSink implements ValueSink {
  readonly #builder: BytesBuilder;
  #entries: Entries = { bytes: Buffer.alloc(0), starts: new Int32Array(0), lengths: new Int32Array(0) };
  #plain: Entries = this.#entries;
  #taken = 0;
  #passed = 0;

  constructor(type: DataType, path: string, capacity: number) {
    this.#builder = new BytesBuilder(type, path, capacity);
  }

  dictionary(plain: Uint8Array, entries: number): void {
    this.#entries = entriesOf(plain, entries);
  }

  open({ plain, values }: Page): void {
    this.#taken = 0;
    this.#passed = 0;
    if (plain) this.#plain = entriesOf(plain, values);
  }

  append({ nulls, indexes }: Page, from: number, row: number, count: number): void {
    const { bytes, starts, lengths } = indexes ? this.#entries : this.#plain;
    for (let i = 0; i < count; i++) {
      if (this.#passed < nulls.count && nulls.places[this.#passed] === from + i) {
        this.#builder.setNull(row + i);
        this.#passed++;
        continue;
      }
      const entry = indexes ? (indexes[this.#taken] as number) : this.#taken;
      this.#taken++;
      if (entry >= starts.length) throw new RangeError(`got entry ${entry} of a dictionary with ${starts.length}`);
      this.#builder.append(row + i, bytes, starts[entry] as number, lengths[entry] as number);
    }
  }

  finish(rows: number): Data {
    return this.#builder.finish(rows);
  }
}

interface Entries {
  bytes: Buffer;
  starts: Int32Array;
  lengths: Int32Array;
}

/** Each value has its length in front of it. */
function entriesOf(plain: Uint8Array, count: number): Entries {
  const bytes = Buffer.from(plain.buffer, plain.byteOffset, plain.length);
  if (bytes.length < 4 * count) throw new RangeError(`got ${bytes.length} bytes of ${count} texts`);
  const [starts, lengths] = [new Int32Array(count), new Int32Array(count)];
  for (let [entry, at] = [0, 0]; entry < count; entry++) {
    const length = bytes.readUInt32LE(at);
    starts[entry] = at + 4;
    lengths[entry] = length;
    at += 4 + length;
    if (at > bytes.length) throw new RangeError('a text ends behind its page');
  }
  return { bytes, starts, lengths };
}

/** Little endian words at the start of some bytes. */
function wordsOf(bytes: Uint8Array, words: number): Int32Array {
  if (bytes.length < 4 * words) throw new RangeError(`got ${bytes.length} bytes of values, expected ${4 * words}`);
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice(0, 4 * words);
  return new Int32Array(aligned.buffer, aligned.byteOffset, words);
}

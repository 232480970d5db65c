/** Texts and byte strings of pages: each value is copied behind the one before it. */
import type { Data, DataType } from 'apache-arrow';
import { BytesBuilder } from '../../columns/bytes-builder.ts';
import type { Page } from './chunk-pages.ts';
import type { ValueSink } from './value-sink.ts';
import { beyondDictionary } from './words.ts';

export class BytesSink implements ValueSink {
  readonly #builder: BytesBuilder;
  readonly #entries = new Entries();
  readonly #plain = new Entries();
  #rows = 0;
  /** Values of the page that have been appended. */
  #taken = 0;
  /** Nulls of the page that have been appended. */
  #passed = 0;

  constructor(type: DataType, path: string, capacity: number) {
    this.#builder = new BytesBuilder(type, path, capacity);
  }

  dictionary(plain: Uint8Array, entries: number): void {
    this.#entries.read(plain, entries);
  }

  begin(rows: number): void {
    this.#rows = rows;
  }

  open({ plain, values }: Page): void {
    this.#taken = 0;
    this.#passed = 0;
    if (plain) this.#plain.read(plain, values);
  }

  append({ nulls, indexes }: Page, from: number, row: number, count: number): void {
    const { bytes, starts, lengths, count: known } = indexes ? this.#entries : this.#plain;
    for (let i = 0; i < count; i++) {
      if (this.#passed < nulls.count && nulls.places[this.#passed] === from + i) {
        this.#builder.setNull(row + i);
        this.#passed++;
        continue;
      }
      const entry = indexes ? (indexes[this.#taken] as number) : this.#taken;
      this.#taken++;
      if (entry >= known) throw beyondDictionary(entry, known);
      this.#builder.append(row + i, bytes, starts[entry] as number, lengths[entry] as number);
    }
  }

  finish(): Data {
    return this.#builder.finish(this.#rows);
  }
}

/** Values with their length in front of each. The arrays are used again for the next ones. */
class Entries {
  bytes = Buffer.alloc(0);
  starts = new Int32Array(0);
  lengths = new Int32Array(0);
  count = 0;

  read(plain: Uint8Array, count: number): void {
    const bytes = Buffer.from(plain.buffer as ArrayBuffer, plain.byteOffset, plain.length);
    if (bytes.length < 4 * count) throw new RangeError(`got ${bytes.length} bytes of ${count} texts`);
    if (this.starts.length < count) {
      this.starts = new Int32Array(count);
      this.lengths = new Int32Array(count);
    }
    for (let [entry, at] = [0, 0]; entry < count; entry++) {
      const length = bytes.readUInt32LE(at);
      this.starts[entry] = at + 4;
      this.lengths[entry] = length;
      at += 4 + length;
      if (at > bytes.length) throw new RangeError('a text ends behind its page');
    }
    this.bytes = bytes;
    this.count = count;
  }
}

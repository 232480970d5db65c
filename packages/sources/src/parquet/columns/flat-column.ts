/**
 * A column without nesting: its pages are decoded straight into the buffers of Arrow, without a value for each row.
 * Columns of other types and encodings are read by the driver.
 */
import { type Data, type DataType, type TimeMicrosecond, TimeUnit, Type } from 'apache-arrow';
import type { ColumnMetaData, SchemaElement } from 'hyparquet';
import { BytesSink } from './bytes-sink.ts';
import { type Page, PageBuffers, pagesOf } from './chunk-pages.ts';
import type { ValueSink } from './value-sink.ts';
import { WordsSink } from './words-sink.ts';

/** @returns the words of a stored value, 0 for bytes; undefined when the driver reads the column */
export function flatWords(element: SchemaElement, type: DataType): 0 | 1 | 2 | undefined {
  const { type: stored, num_children: children, repetition_type: repetition } = element;
  if ((children ?? 0) > 0 || repetition === 'REPEATED') return undefined;
  const { typeId } = type;
  switch (stored) {
    case 'INT32':
      return isInteger(type, 32) || typeId === Type.Date || typeId === Type.Decimal ? 1 : undefined;
    case 'FLOAT':
      return typeId === Type.Float ? 1 : undefined;
    case 'INT64':
      return isInteger(type, 64) || typeId === Type.Decimal || isMicros(element, type) ? 2 : undefined;
    case 'DOUBLE':
      return typeId === Type.Float ? 2 : undefined;
    case 'BYTE_ARRAY':
      return typeId === Type.Utf8 || typeId === Type.Binary ? 0 : undefined;
    default:
      return undefined;
  }
}

function isInteger(type: DataType, bits: number): boolean {
  return type.typeId === Type.Int && (type as DataType & { bitWidth: number }).bitWidth === bits;
}

function isMicros({ logical_type: logical, converted_type: converted }: SchemaElement, type: DataType): boolean {
  if (type.typeId !== Type.Timestamp && type.typeId !== Type.Time) return false;
  if ((type as TimeMicrosecond).unit !== TimeUnit.MICROSECOND) return false;
  if (logical?.type === 'TIMESTAMP' || logical?.type === 'TIME') return logical.unit === 'MICROS';
  return converted === 'TIMESTAMP_MICROS' || converted === 'TIME_MICROS';
}

const encodings: readonly string[] = ['PLAIN', 'RLE', 'BIT_PACKED', 'PLAIN_DICTIONARY', 'RLE_DICTIONARY'];

/** Whether all pages of a chunk have a form that is decoded here. */
export function isFlatChunk({ encodings: used }: ColumnMetaData): boolean {
  return used.every((encoding) => encodings.includes(encoding));
}

export class FlatColumn {
  readonly #isNullable: boolean;
  readonly #sink: ValueSink;
  readonly #buffers = new PageBuffers();
  #pages: Iterator<Page> | undefined;
  #page: Page | undefined;
  /** Rows of the page that have been read. */
  #taken = 0;

  /** @param capacity rows of a batch, at most */
  constructor(element: SchemaElement, type: DataType, capacity: number) {
    this.#isNullable = element.repetition_type !== 'REQUIRED';
    const words = flatWords(element, type);
    this.#sink = words ? new WordsSink(type, words) : new BytesSink(type, element.name, capacity);
  }

  /** Begins with the column chunk of the next row group. @param rows of the group */
  start(bytes: Uint8Array, { codec }: ColumnMetaData, rows: number): void {
    const onDictionary = (plain: Uint8Array, entries: number): void => this.#sink.dictionary(plain, entries);
    this.#page = undefined;
    // The dictionary of the group before must not give values to this one.
    onDictionary(new Uint8Array(0), 0);
    const isNullable = this.#isNullable;
    this.#pages = pagesOf({ bytes, codec, maxRows: rows, isNullable, onDictionary }, this.#buffers);
  }

  /** The next rows of the chunk. @throws Error for fewer rows, and for bytes that are no values */
  read(rows: number): Data {
    this.#sink.begin(rows);
    for (let row = 0; row < rows; ) {
      const page = this.#current();
      if (!page) throw new RangeError(`got ${row} of ${rows} rows of a column chunk`);
      const count = Math.min(rows - row, page.rows - this.#taken);
      this.#sink.append(page, this.#taken, row, count);
      this.#taken += count;
      row += count;
    }
    return this.#sink.finish();
  }

  /** To be called after all rows have been read. @throws Error for more rows, and for bytes that are no pages */
  requireEnd(): void {
    if (this.#current()) throw new RangeError('a column chunk has more values than its row group has rows');
  }

  #current(): Page | undefined {
    if (this.#page && this.#taken < this.#page.rows) return this.#page;
    const next = this.#pages?.next();
    this.#page = next?.done ? undefined : next?.value;
    this.#taken = 0;
    if (this.#page) this.#sink.open(this.#page);
    return this.#page;
  }
}

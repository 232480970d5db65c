/** The data pages of a column chunk, decompressed, with the places of nulls and the values of the other rows. */
import type { CompressionCodec } from 'hyparquet';
import { codecs } from '../codecs.ts';
import { readRuns } from './hybrid-runs.ts';
import { findNulls, type Places } from './null-places.ts';
import { type PageHeader, readPageHeader } from './page-header.ts';
import type { ByteCursor } from './thrift-struct.ts';

/** Buffers are those of the reader: they hold until the next page. */
export interface Page {
  rows: number;
  /** Rows without a value. */
  nulls: Places;
  /** Rows with a value. */
  values: number;
  /** Values in the plain form, or those of the dictionary. */
  plain?: Uint8Array;
  /** Places of the values in the dictionary. */
  indexes?: Int32Array;
}

export interface ChunkOptions {
  bytes: Uint8Array;
  codec: CompressionCodec;
  /** Rows of all pages together, at most. */
  maxRows: number;
  /** Whether rows can be null. */
  isNullable: boolean;
  /** Called with the plain values of a dictionary, which may be kept while the chunk is read. */
  onDictionary(plain: Uint8Array, entries: number): void;
}

/** Buffers that pages of all chunks of a column use in turn. */
export class PageBuffers {
  readonly nulls: Places = { places: new Int32Array(0), count: 0 };
  #indexes = new Int32Array(0);

  indexes(values: number): Int32Array {
    if (this.#indexes.length < values) this.#indexes = new Int32Array(values);
    return this.#indexes;
  }
}

/** @throws Error for bytes that are no pages */
export function* pagesOf({ bytes, codec, maxRows, isNullable, onDictionary }: ChunkOptions, buffers: PageBuffers) {
  const cursor: ByteCursor = { bytes, at: 0 };
  let rowsLeft = maxRows;
  while (cursor.at < bytes.length) {
    const header = readPageHeader(cursor, isNullable);
    const end = cursor.at + header.storedBytes;
    if (end > bytes.length) throw new RangeError('a page ends behind its column chunk');
    const stored = bytes.subarray(cursor.at, end);
    cursor.at = end;
    if (header.kind === 'dictionary') {
      onDictionary(decompress(stored, codec, header.bytes), header.values);
    } else if (header.kind === 'data' && header.values > 0) {
      // Before any memory for these rows is taken.
      if (header.values > rowsLeft) {
        throw new RangeError(`got a page of ${header.values} rows, expected ${rowsLeft} or fewer`);
      }
      rowsLeft -= header.values;
      yield header.levels
        ? secondForm(stored, header, header.levels, codec, isNullable, buffers)
        : firstForm(decompress(stored, codec, header.bytes), header, isNullable, buffers);
    }
  }
}

/** Levels have their length in front of them, and are compressed with the values. */
function firstForm(page: Uint8Array, header: PageHeader, isNullable: boolean, buffers: PageBuffers): Page {
  let start = 0;
  let levels = allPresent(header.values);
  if (isNullable) {
    const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
    start = 4 + view.getUint32(0, true);
    levels = levelsOf(page.subarray(4, start), header.values, buffers);
  }
  return pageOf(page.subarray(start), header, levels, buffers);
}

function secondForm(
  stored: Uint8Array,
  header: PageHeader,
  { repetitionBytes, definitionBytes }: NonNullable<PageHeader['levels']>,
  codec: CompressionCodec,
  isNullable: boolean,
  buffers: PageBuffers,
): Page {
  const start = repetitionBytes + definitionBytes;
  const levels = isNullable
    ? levelsOf(stored.subarray(repetitionBytes, start), header.values, buffers)
    : allPresent(header.values);
  const body = stored.subarray(start);
  const isPlain = !header.isCompressed || header.bytes === start;
  const page = isPlain ? body : decompress(body, codec, header.bytes - start);
  return pageOf(page, header, levels, buffers);
}

type Levels = Pick<Page, 'nulls' | 'values'>;

const noPlaces: Places = { places: new Int32Array(0), count: 0 };

function allPresent(rows: number): Levels {
  return { nulls: noPlaces, values: rows };
}

function levelsOf(bytes: Uint8Array, rows: number, { nulls }: PageBuffers): Levels {
  findNulls(bytes, rows, nulls);
  return { nulls, values: rows - nulls.count };
}

function pageOf(body: Uint8Array, { values: rows, encoding }: PageHeader, levels: Levels, buffers: PageBuffers): Page {
  if (encoding === 'plain') return { rows, ...levels, plain: body };
  const indexes = buffers.indexes(levels.values);
  const [width] = body;
  if (width === undefined && levels.values > 0) throw new RangeError('a page ends before its values');
  if (!width) indexes.fill(0, 0, levels.values);
  else readRuns({ bytes: body, at: 1 }, width, indexes, levels.values);
  return { rows, ...levels, indexes };
}

function decompress(stored: Uint8Array, codec: CompressionCodec, bytes: number): Uint8Array {
  const page = codec === 'UNCOMPRESSED' ? stored : codecs[codec]?.(stored, bytes);
  if (page?.length === bytes) return page;
  throw new RangeError(`got ${page?.length ?? 'no'} bytes of a page with codec ${codec}, expected ${bytes}`);
}

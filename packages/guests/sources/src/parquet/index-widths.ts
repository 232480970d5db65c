/**
 * The width of dictionary indexes in the pages of a column. The driver of rows calculates with 32 bits: it reads
 * bit-packed indexes of more than 24 bits as other indexes, and does not report it.
 */
import type { ColumnChunk, CompressionCodec, FileMetaData } from 'hyparquet';
import { unmappedType } from '../source-error.ts';
import { codecs } from './codecs.ts';
import type { ParquetFile } from './open-file.ts';
import { type Cursor, readStruct, type Struct, varint } from './thrift.ts';

/** Seven bits of an earlier value may stand in front of an index. */
const maxIndexBits = 24;

type File = ParquetFile['file'];

/**
 * The same file. A read from it rejects where the bytes have bit-packed indexes that are too wide. The driver begins
 * several reads and waits for one: rejections of the others must not end the process.
 * @param metadata of the file, with one column only
 */
export function withIndexCheck(file: File, name: string, { schema, row_groups }: FileMetaData): File {
  const chunks = row_groups.flatMap(({ columns }) => columns).filter(hasDictionary);
  const checked = async (start: number, end: number): Promise<ArrayBuffer> => {
    const bytes = await file.slice(start, end);
    for (const chunk of chunks) {
      const { from, to } = placeOf(chunk);
      const pages = Buffer.from(bytes).subarray(Math.max(0, from - start), Math.max(0, to - start));
      const width = wideIndexIn(pages, chunk, levelsOf(schema, chunk));
      if (width === undefined) continue;
      const hint = 'read the table by columns (Arrow), or write the file again with dictionaries of fewer values';
      throw unmappedType(name, `bit-packed dictionary index of ${width} bits, more than ${maxIndexBits}`, hint);
    }
    return bytes;
  };
  return {
    byteLength: file.byteLength,
    slice: (start, end = file.byteLength) => {
      const bytes = checked(start, end);
      bytes.catch(() => {});
      return bytes;
    },
  };
}

const hasDictionary = ({ meta_data }: ColumnChunk): boolean =>
  meta_data?.encodings.some((encoding) => encoding.endsWith('_DICTIONARY')) ?? false;

function placeOf({ meta_data }: ColumnChunk): { from: number; to: number } {
  const data = Number(meta_data?.data_page_offset);
  const dictionary = Number(meta_data?.dictionary_page_offset ?? 0);
  const from = dictionary > 0 && dictionary < data ? dictionary : data;
  return { from, to: from + Number(meta_data?.total_compressed_size) };
}

interface Levels {
  repeated: boolean;
  defined: boolean;
}

/** Which levels stand in front of the values of a page. */
function levelsOf(schema: FileMetaData['schema'], { meta_data }: ColumnChunk): Levels {
  let place = 1;
  const kinds = (meta_data?.path_in_schema ?? []).map((part, depth) => {
    while (place < schema.length && schema[place]?.name !== part)
      place = depth === 0 ? place + 1 : after(schema, place);
    return schema[place++]?.repetition_type;
  });
  const repeated = kinds.includes('REPEATED');
  return { repeated, defined: repeated || kinds.includes('OPTIONAL') };
}

function after(schema: FileMetaData['schema'], place: number): number {
  let next = place + 1;
  for (let left = schema[place]?.num_children ?? 0; left > 0; left--) next = after(schema, next);
  return next;
}

/** Fields of page headers: https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift */
const ofPage = { bytes: 2, storedBytes: 3, data: 5, dataV2: 8 } as const;
const ofData = { encoding: 2 } as const;
const ofDataV2 = { encoding: 4, definitionBytes: 5, repetitionBytes: 6, isCompressed: 7 } as const;
/** PLAIN_DICTIONARY and RLE_DICTIONARY */
const dictionaryEncodings = [2n, 8n];

/** @returns undefined also for bytes that are no pages: the driver reports them */
function wideIndexIn(pages: Buffer, chunk: ColumnChunk, levels: Levels): number | undefined {
  const codec = chunk.meta_data?.codec ?? 'UNCOMPRESSED';
  try {
    for (const cursor = { bytes: pages, at: 0 }; cursor.at < pages.length; ) {
      const header = readStruct(cursor, 0);
      const stored = pages.subarray(cursor.at, cursor.at + number(header, ofPage.storedBytes));
      cursor.at += stored.length;
      const width = wideIndexOf(header, stored, { codec, levels });
      if (width !== undefined) return width;
    }
  } catch {}
  return undefined;
}

function wideIndexOf(
  header: Struct,
  stored: Buffer,
  { codec, levels }: { codec: CompressionCodec; levels: Levels },
): number | undefined {
  const { data, dataV2 } = ofPage;
  const fields = header.get(data)?.value ?? header.get(dataV2)?.value;
  if (!(fields instanceof Map)) return undefined;
  const isV2 = header.has(dataV2);
  const encoding = fields.get((isV2 ? ofDataV2 : ofData).encoding)?.value;
  if (!dictionaryEncodings.includes(encoding as bigint)) return undefined;
  const inFront = isV2 ? number(fields, ofDataV2.definitionBytes) + number(fields, ofDataV2.repetitionBytes) : 0;
  const isPlain = codec === 'UNCOMPRESSED' || fields.get(ofDataV2.isCompressed)?.value === false;
  const compressed = stored.subarray(inFront);
  const bytes = isPlain ? compressed : codecs[codec]?.(compressed, number(header, ofPage.bytes) - inFront);
  if (!bytes) return undefined;
  const cursor = { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), at: 0 };
  if (!isV2) for (const has of [levels.repeated, levels.defined]) if (has) skipLevels(cursor);
  return widthOfPacked(cursor);
}

function skipLevels(cursor: Cursor): void {
  cursor.at += 4 + cursor.bytes.readUInt32LE(cursor.at);
}

/** @returns the width of a page with a bit-packed run, if it is too wide */
function widthOfPacked(cursor: Cursor): number | undefined {
  const width = cursor.bytes[cursor.at++] ?? 0;
  if (width <= maxIndexBits) return undefined;
  while (cursor.at < cursor.bytes.length) {
    const isPacked = (varint(cursor) & 1n) === 1n;
    if (isPacked) return width;
    cursor.at += Math.ceil(width / 8);
  }
  return undefined;
}

function number(fields: Struct, field: number): number {
  return Number(fields.get(field)?.value);
}

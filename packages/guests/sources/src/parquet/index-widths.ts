/**
 * The runs of levels and dictionary indexes in a page. The driver of rows calculates with 32 bits: it reads bit-packed
 * indexes of more than 24 bits as other indexes, and does not report it. It writes as many values as a run announces,
 * also beyond those of the page, until V8 ends the process.
 */
import type { ColumnChunk, FileMetaData } from 'hyparquet';
import { damaged, unmappedType } from '../source-error.ts';
import { codecs } from './codecs.ts';
import { number, ofData, ofDataV2, ofPage, type Page } from './pages.ts';
import type { Cursor } from './thrift.ts';

/** Seven bits of an earlier value may stand in front of an index. */
const maxIndexBits = 24;

type SchemaElements = FileMetaData['schema'];

interface Run {
  /** Bits of a value. */
  width: number;
  isPacked: boolean;
  count: number;
}

/** @throws TopoBenchError `TB_SOURCE_DAMAGED` for a run longer than its page, `TB_SOURCE_TYPE` for wide indexes */
export function requireRuns(path: string, page: Page, chunk: ColumnChunk, schema: SchemaElements): void {
  const [name = ''] = chunk.meta_data?.path_in_schema ?? [];
  const values = number(page.fields, ofData.values);
  for (const { width, isPacked, count } of runsOf(page, chunk, schema)) {
    if (isPacked && width > maxIndexBits) {
      const hint = 'read the table by columns (Arrow), or write the file again with dictionaries of fewer values';
      throw unmappedType(name, `bit-packed dictionary index of ${width} bits, more than ${maxIndexBits}`, hint);
    }
    if (!isPacked && count > values)
      throw damaged(path, new Error(`a run of column ${name} has ${count} values, its page ${values}`));
  }
}

/** PLAIN_DICTIONARY and RLE_DICTIONARY */
const dictionaryEncodings = [2n, 8n];

/** Ends without an error at bytes that are no runs: the driver reports them. */
function* runsOf(page: Page, chunk: ColumnChunk, schema: SchemaElements): Generator<Run, void, void> {
  const { fields, isV2, stored } = page;
  const values = number(fields, ofData.values);
  const isIndexed = dictionaryEncodings.includes(fields.get((isV2 ? ofDataV2 : ofData).encoding)?.value as bigint);
  const [repetition, definition] = levelWidths(schema, chunk);
  try {
    if (isV2) {
      const [ofRepetition, ofDefinition] = [ofDataV2.repetitionBytes, ofDataV2.definitionBytes].map((field) =>
        number(fields, field),
      ) as [number, number];
      yield* runsIn(stored, repetition, values);
      yield* runsIn(stored.subarray(ofRepetition), definition, values);
      if (isIndexed) yield* indexRuns(uncompressed(page, chunk, ofRepetition + ofDefinition));
    } else if (isIndexed || repetition > 0 || definition > 0) {
      let bytes = uncompressed(page, chunk, 0);
      for (const width of [repetition, definition].filter((one) => one > 0)) {
        yield* runsIn(bytes.subarray(4), width, values);
        bytes = bytes.subarray(4 + bytes.readUInt32LE(0));
      }
      if (isIndexed) yield* indexRuns(bytes);
    }
  } catch {}
}

function indexRuns(bytes: Buffer): Generator<Run, void, void> {
  return runsIn(bytes.subarray(1), bytes[0] ?? 0, Number.POSITIVE_INFINITY);
}

/** Runs until there are so many values. Without any bits there are no runs. */
function* runsIn(bytes: Buffer, width: number, values: number): Generator<Run, void, void> {
  if (width === 0) return;
  const cursor = { bytes, at: 0 };
  for (let seen = 0; seen < values && cursor.at < bytes.length; ) {
    const head = varint32(cursor);
    const isPacked = (head & 1) === 1;
    const count = isPacked ? 8 * (head >>> 1) : head >>> 1;
    yield { width, isPacked, count };
    seen += count;
    cursor.at += Math.ceil(((isPacked ? count : 1) * width) / 8);
  }
}

/** As the driver reads it: the lower 32 bits. */
function varint32(cursor: Cursor): number {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const next = cursor.bytes[cursor.at++];
    if (next === undefined) throw new RangeError('a run ends within its head');
    value |= (next & 127) << shift;
    if (next < 128) return value >>> 0;
  }
}

/** The page behind so many bytes, which are never compressed. */
function uncompressed({ header, fields, stored }: Page, { meta_data }: ColumnChunk, inFront: number): Buffer {
  const codec = meta_data?.codec ?? 'UNCOMPRESSED';
  const isPlain = codec === 'UNCOMPRESSED' || fields.get(ofDataV2.isCompressed)?.value === false;
  const compressed = stored.subarray(inFront);
  const bytes = isPlain ? compressed : codecs[codec]?.(compressed, number(header, ofPage.bytes) - inFront);
  if (!bytes) throw new Error(`no codec ${codec}`);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Bits of the repetition levels and of the definition levels in front of the values of a page. */
function levelWidths(schema: SchemaElements, { meta_data }: ColumnChunk): [repetition: number, definition: number] {
  let place = 1;
  const kinds = (meta_data?.path_in_schema ?? []).map((part, depth) => {
    while (place < schema.length && schema[place]?.name !== part)
      place = depth === 0 ? place + 1 : after(schema, place);
    return schema[place++]?.repetition_type;
  });
  const repeated = kinds.filter((kind) => kind === 'REPEATED').length;
  const optional = kinds.filter((kind) => kind === 'OPTIONAL').length;
  return [bitsOf(repeated), bitsOf(repeated + optional)];
}

const bitsOf = (max: number): number => 32 - Math.clz32(max);

function after(schema: FileMetaData['schema'], place: number): number {
  let next = place + 1;
  for (let left = schema[place]?.num_children ?? 0; left > 0; left--) next = after(schema, next);
  return next;
}

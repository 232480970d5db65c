/**
 * One row group of a Parquet file as a file of its own in memory: its column chunks, and a footer with their new
 * places. A decoder that takes whole files thereby needs the memory of one row group only. The footer is edited as a
 * tree of Thrift's compact protocol, so that what is not named here stays as it was written.
 */
import type { ParquetFile } from './open-file.ts';

type Struct = Map<number, Value>;
interface Value {
  type: number;
  value: boolean | bigint | Uint8Array | Struct | Value[];
  /** Type of the elements of a list. */
  of?: number;
}

const [isTrue, isFalse, byte, i16, i32, i64, double, binary, list, struct] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12] as const;
const magic = Buffer.from('PAR1');

/** Fields of the Parquet format: https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift */
const ofFile = { schema: 2, rows: 3, groups: 4, keyValues: 5 } as const;
const ofElement = { convertedType: 6, logicalType: 10 } as const;
const ofGroup = { columns: 1, rows: 3, fileOffset: 5, ordinal: 7 } as const;
const ofColumn = { path: 1, fileOffset: 2, meta: 3 } as const;
const ofMeta = { compressedBytes: 7, dataPage: 9, dictionaryPage: 11 } as const;
/** Parts of a chunk's metadata that decoding does not need: other places in the file, statistics, filters. */
const unneeded = [8, 10, 12, 13, 14, 15, 16];

/** @returns files of single row groups, by their number */
export async function rowGroupFiles({ file, fill }: ParquetFile): Promise<(group: number) => Promise<Uint8Array>> {
  const tail = Buffer.from(await file.slice(file.byteLength - 8));
  const end = file.byteLength - 8;
  const cursor = { bytes: Buffer.from(await file.slice(end - tail.readUInt32LE(0), end)), at: 0 };
  const footer = readStruct(cursor, 0);
  const groups = fieldOf<Value[]>(footer, ofFile.groups);
  for (const { value } of fieldOf<Value[]>(footer, ofFile.schema)) {
    // The older annotation is enough. `hyparquet-writer` writes the width of integers in a way that others misread.
    if ((value as Struct).has(ofElement.convertedType)) (value as Struct).delete(ofElement.logicalType);
  }
  return async (number) => {
    const group = new Map(groups[number]?.value as Struct);
    const chunks: Uint8Array[] = [magic];
    let length = magic.length;
    const columns: Value[] = [];
    for (const { value } of fieldOf<Value[]>(group, ofGroup.columns)) {
      const column = value as Struct;
      if (column.has(ofColumn.path)) throw new Error('a column is in another file');
      const meta = new Map(fieldOf<Struct>(column, ofColumn.meta));
      const dataPage = Number(fieldOf<bigint>(meta, ofMeta.dataPage));
      const dictionaryPage = Number(meta.get(ofMeta.dictionaryPage)?.value ?? 0n);
      // Some writers name a dictionary at 0, or behind the data, where there is none.
      const hasDictionary = dictionaryPage > 0 && dictionaryPage < dataPage;
      const start = hasDictionary ? dictionaryPage : dataPage;
      const bytes = Number(fieldOf<bigint>(meta, ofMeta.compressedBytes));
      if (!(start >= 0 && bytes >= 0 && start + bytes <= end)) {
        throw new RangeError(`got bytes ${start} to ${start + bytes} of a file of ${file.byteLength}`);
      }
      const chunk = new Uint8Array(bytes);
      await fill(chunk, start);
      chunks.push(chunk);
      for (const field of unneeded) meta.delete(field);
      meta.set(ofMeta.dataPage, number64(length + dataPage - start));
      if (hasDictionary) meta.set(ofMeta.dictionaryPage, number64(length));
      else meta.delete(ofMeta.dictionaryPage);
      length += bytes;
      columns.push({
        type: struct,
        value: new Map<number, Value>([
          [ofColumn.fileOffset, number64(0)],
          [ofColumn.meta, { type: struct, value: meta }],
        ]),
      });
    }
    group.set(ofGroup.columns, { type: list, of: struct, value: columns });
    group.delete(ofGroup.fileOffset);
    group.delete(ofGroup.ordinal);
    const single = new Map(footer);
    single.set(ofFile.rows, number64(Number(fieldOf<bigint>(group, ofGroup.rows))));
    single.set(ofFile.groups, { type: list, of: struct, value: [{ type: struct, value: group }] });
    // A schema of Arrow in it would choose other types than those of the columns.
    single.delete(ofFile.keyValues);
    const written: number[] = [];
    writeStruct(written, single);
    const size = Buffer.alloc(4);
    size.writeUInt32LE(written.length);
    return Buffer.concat([...chunks, Buffer.from(written), size, magic]);
  };
}

function number64(value: number): Value {
  return { type: i64, value: BigInt(value) };
}

function fieldOf<Kind extends Value['value']>(fields: Struct, field: number): Kind {
  const found = fields.get(field);
  if (!found) throw new Error(`the footer lacks field ${field} of a struct`);
  return found.value as Kind;
}

interface Cursor {
  bytes: Buffer;
  at: number;
}

/** Damaged bytes would otherwise nest without an end. */
const maxDepth = 16;

function readStruct(cursor: Cursor, depth: number): Struct {
  if (depth > maxDepth) throw new RangeError('the footer is nested too deeply');
  const fields: Struct = new Map();
  for (let id = 0; ; ) {
    const head = byteAt(cursor);
    const type = head & 0x0f;
    if (type === 0) return fields;
    id = head >> 4 === 0 ? Number(zigzag(varint(cursor))) : id + (head >> 4);
    fields.set(id, readValue(cursor, type, depth));
  }
}

function readValue(cursor: Cursor, type: number, depth: number): Value {
  switch (type) {
    case isTrue:
    case isFalse:
      return { type, value: type === isTrue };
    case byte:
      return { type, value: bytesAt(cursor, 1) };
    case i16:
    case i32:
    case i64:
      return { type, value: zigzag(varint(cursor)) };
    case double:
      return { type, value: bytesAt(cursor, 8) };
    case binary:
      return { type, value: bytesAt(cursor, Number(varint(cursor))) };
    case struct:
      return { type, value: readStruct(cursor, depth + 1) };
    case list: {
      const head = byteAt(cursor);
      const of = head & 0x0f;
      const count = head >> 4 === 15 ? Number(varint(cursor)) : head >> 4;
      // Each element has a byte or more.
      if (count > cursor.bytes.length - cursor.at) throw new RangeError('the footer ends within a list');
      // Flags in lists have a byte each, unlike flags in structs.
      const element = of === isFalse ? isTrue : of;
      const read = (): Value => (element === isTrue ? readValue(cursor, byte, depth) : readValue(cursor, of, depth));
      return { type, of, value: Array.from({ length: count }, read) };
    }
    default:
      throw new RangeError(`got a field of type ${type} in the footer`);
  }
}

function byteAt(cursor: Cursor): number {
  return bytesAt(cursor, 1)[0] as number;
}

function bytesAt(cursor: Cursor, length: number): Uint8Array {
  const bytes = cursor.bytes.subarray(cursor.at, cursor.at + length);
  cursor.at += length;
  if (cursor.at > cursor.bytes.length) throw new RangeError('the footer ends too early');
  return bytes;
}

function varint(cursor: Cursor): bigint {
  let value = 0n;
  for (let shift = 0n; ; shift += 7n) {
    const next = byteAt(cursor);
    value |= BigInt(next & 0x7f) << shift;
    if (next < 0x80) return value;
    if (shift > 63n) throw new RangeError('got a number of more than 64 bits in the footer');
  }
}

const zigzag = (value: bigint): bigint => (value >> 1n) ^ -(value & 1n);

function writeStruct(bytes: number[], fields: Struct): void {
  let before = 0;
  for (const [id, value] of [...fields].sort(([one], [other]) => one - other)) {
    const step = id - before;
    bytes.push((step < 16 ? step * 16 : 0) + value.type);
    if (step >= 16) writeNumber(bytes, BigInt(id));
    before = id;
    writeValue(bytes, value);
  }
  bytes.push(0);
}

function writeValue(bytes: number[], { type, of = 0, value }: Value): void {
  if (type === binary) writeVarint(bytes, BigInt((value as Uint8Array).length));
  if (type === struct) writeStruct(bytes, value as Struct);
  else if (type === list) {
    const elements = value as Value[];
    bytes.push(Math.min(15, elements.length) * 16 + of);
    if (elements.length >= 15) writeVarint(bytes, BigInt(elements.length));
    for (const element of elements) writeValue(bytes, element);
  } else if (typeof value === 'bigint') writeNumber(bytes, value);
  else if (value instanceof Uint8Array) for (const one of value) bytes.push(one);
}

function writeNumber(bytes: number[], value: bigint): void {
  writeVarint(bytes, BigInt.asUintN(64, (value << 1n) ^ (value >> 63n)));
}

function writeVarint(bytes: number[], value: bigint): void {
  let rest = value;
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  bytes.push(Number(rest));
}

/** Structs in Thrift's compact protocol, as far as page headers need them: numbers, flags and structs within. */

export type ThriftStruct = Map<number, number | boolean | ThriftStruct>;

export interface ByteCursor {
  bytes: Uint8Array;
  at: number;
}

const types = {
  true: 1,
  false: 2,
  byte: 3,
  i16: 4,
  i32: 5,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  set: 10,
  struct: 12,
};

/** Fields by their number; lists, texts and 64-bit numbers are skipped. @throws RangeError at the end of the bytes */
export function readStruct(cursor: ByteCursor): ThriftStruct {
  const fields: ThriftStruct = new Map();
  for (let id = 0; ; ) {
    const head = byteOf(cursor);
    const type = head & 0x0f;
    if (type === 0) return fields;
    id = head >> 4 === 0 ? zigzagOf(cursor) : id + (head >> 4);
    const value = readValue(cursor, type);
    if (value !== undefined) fields.set(id, value);
  }
}

function readValue(cursor: ByteCursor, type: number): number | boolean | ThriftStruct | undefined {
  switch (type) {
    case types.true:
      return true;
    case types.false:
      return false;
    case types.byte:
      return (byteOf(cursor) << 24) >> 24;
    case types.i16:
    case types.i32:
      return zigzagOf(cursor);
    case types.struct:
      return readStruct(cursor);
    case types.i64:
      while (byteOf(cursor) & 0x80);
      return undefined;
    case types.double:
      return skip(cursor, 8);
    case types.binary:
      return skip(cursor, readVarint(cursor));
    case types.list:
    case types.set:
      return skipList(cursor);
    default:
      throw new RangeError(`got a field of type ${type} in a page header`);
  }
}

function skip(cursor: ByteCursor, bytes: number): undefined {
  cursor.at += bytes;
  if (cursor.at > cursor.bytes.length) throw new RangeError('a page ends within its header');
}

function skipList(cursor: ByteCursor): undefined {
  const head = byteOf(cursor);
  const count = head >> 4 === 15 ? readVarint(cursor) : head >> 4;
  const type = head & 0x0f;
  const isFlag = type === types.true || type === types.false;
  for (let item = 0; item < count; item++) readValue(cursor, isFlag ? types.byte : type);
  return undefined;
}

/** Up to 32 bits, unsigned. */
export function readVarint(cursor: ByteCursor): number {
  const first = cursor.bytes[cursor.at] as number;
  if (first < 0x80) {
    cursor.at++;
    return first;
  }
  return readLongVarint(cursor);
}

function readLongVarint(cursor: ByteCursor): number {
  let value = 0;
  for (let shift = 0; shift < 35; shift += 7) {
    const byte = byteOf(cursor);
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value >>> 0;
  }
  throw new RangeError('got a number of more than 32 bits in a page');
}

function zigzagOf(cursor: ByteCursor): number {
  const value = readVarint(cursor);
  return (value >>> 1) ^ -(value & 1);
}

function byteOf(cursor: ByteCursor): number {
  const byte = cursor.bytes[cursor.at++];
  if (byte === undefined) throw new RangeError('a page ends within a number');
  return byte;
}

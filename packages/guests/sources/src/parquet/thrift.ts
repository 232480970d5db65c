/** Thrift's compact protocol as a tree of fields, as far as Parquet uses it. */
export type Struct = Map<number, Value>;
export interface Value {
  type: number;
  value: boolean | bigint | Uint8Array | Struct | Value[];
  /** Type of the elements of a list. */
  of?: number;
}

export const [i64, list, struct] = [6, 9, 12] as const;
const [isTrue, isFalse, byte, i16, i32, double, binary] = [1, 2, 3, 4, 5, 7, 8] as const;

export interface Cursor {
  bytes: Buffer;
  at: number;
}

/** Damaged bytes would otherwise nest without an end. */
const maxDepth = 16;

export function readStruct(cursor: Cursor, depth: number): Struct {
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

export function writeStruct(bytes: number[], fields: Struct): void {
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

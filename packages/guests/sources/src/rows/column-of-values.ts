/** A column of an Arrow type from the values of a driver; `null` and `undefined` are null. */
import {
  type Bool,
  type Data,
  type DataType,
  type Decimal,
  type Field,
  type Float,
  type Int,
  type List,
  makeData,
  type Struct,
  type Timestamp,
  Type,
} from 'apache-arrow';
import { unfitValue } from '../source-error.ts';
import { writeDecimal } from './decimal-values.ts';
import {
  booleanOf,
  bytesOf,
  documentOf,
  elementsOf,
  floatConverter,
  integerConverter,
  memberReader,
  textOf,
} from './scalar-values.ts';
import { daysOf, microsOf, microsOfDay } from './time-values.ts';

/**
 * @param path name of the column, with the names of its parents: `lines.price`
 * @throws TopoBenchError `TB_SOURCE_VALUE`
 */
export function columnOfValues(type: DataType, values: readonly unknown[], path: string): Data {
  const length = values.length;
  const { nullBitmap, nullCount } = nullsOf(values);
  const nulls = { length, nullCount, nullBitmap };
  switch (type.typeId) {
    case Type.Bool:
      return makeData({ type: type as Bool, ...nulls, data: bitsOf(values, path) });
    case Type.Int:
    case Type.Float:
    case Type.Date:
    case Type.Time:
    case Type.Timestamp: {
      const data = new (type.ArrayType as ArrayConstructorOf)(length);
      fill(data, type, values, path);
      return makeData({ type, ...nulls, data } as never);
    }
    case Type.Decimal: {
      const data = new Uint32Array(4 * length);
      values.forEach((value, i) => {
        if (value !== null && value !== undefined) writeDecimal(data, i, type as Decimal, value, path);
      });
      return makeData({ type: type as Decimal, ...nulls, data });
    }
    case Type.Utf8:
    case Type.Binary: {
      const { valueOffsets, data } = joinedBytes(values, type.typeId === Type.Utf8, path);
      return makeData({ type, ...nulls, valueOffsets, data } as never);
    }
    case Type.List:
      return listOf(type as List, values, nulls, path);
    case Type.Struct: {
      const documents = values.map((value) => (value === null || value === undefined ? null : documentOf(value, path)));
      const children = (type as Struct).children.map((field: Field) => {
        const member = memberReader(field.name);
        const inner = documents.map((document) => (document === null ? null : member(document)));
        return columnOfValues(field.type, inner, `${path}.${field.name}`);
      });
      return makeData({ type: type as Struct, ...nulls, children });
    }
    default:
      throw unfitValue(path, values[0], `a type of a source, not ${type}`);
  }
}

type NumericArray =
  | Int8Array
  | Int16Array
  | Int32Array
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | Float32Array
  | Float64Array;
type ArrayConstructorOf = new (length: number) => NumericArray | BigInt64Array | BigUint64Array;

function nullsOf(values: readonly unknown[]): { nullBitmap: Uint8Array | undefined; nullCount: number } {
  let nullCount = 0;
  for (const value of values) if (value === null || value === undefined) nullCount++;
  if (nullCount === 0) return { nullBitmap: undefined, nullCount };
  const nullBitmap = new Uint8Array((values.length + 7) >> 3);
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value !== null && value !== undefined) nullBitmap[i >> 3] = (nullBitmap[i >> 3] as number) | (1 << (i & 7));
  }
  return { nullBitmap, nullCount };
}

function bitsOf(values: readonly unknown[], path: string): Uint8Array {
  const bits = new Uint8Array((values.length + 7) >> 3);
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    const isSet = value !== null && value !== undefined && booleanOf(value, path);
    if (isSet) bits[i >> 3] = (bits[i >> 3] as number) | (1 << (i & 7));
  }
  return bits;
}

function fill(
  data: NumericArray | BigInt64Array | BigUint64Array,
  type: DataType,
  values: readonly unknown[],
  path: string,
): void {
  const convert = converterFor(type, path);
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value !== null && value !== undefined) data[i] = convert(value) as never;
  }
}

function converterFor(type: DataType, path: string): (value: unknown) => number | bigint {
  switch (type.typeId) {
    case Type.Float:
      return floatConverter(type as Float, path);
    case Type.Date:
      return (value) => daysOf(value, path);
    case Type.Timestamp:
      return (value) => microsOf(value, (type as Timestamp).timezone, path);
    case Type.Time:
      return (value) => microsOfDay(value, path);
    default:
      return integerConverter(type as Int, path);
  }
}

const encoder = new TextEncoder();

function joinedBytes(
  values: readonly unknown[],
  isText: boolean,
  path: string,
): { valueOffsets: Int32Array; data: Uint8Array } {
  const parts = values.map((value) =>
    value === null || value === undefined
      ? undefined
      : isText
        ? encoder.encode(textOf(value, path))
        : bytesOf(value, path),
  );
  const valueOffsets = new Int32Array(values.length + 1);
  let end = 0;
  parts.forEach((part, i) => {
    end += part?.length ?? 0;
    if (end > 0x7fffffff) throw unfitValue(path, `${end} bytes in one batch`, 'less than 2 GiB', 'use smaller batches');
    valueOffsets[i + 1] = end;
  });
  const data = new Uint8Array(end);
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i];
    if (part) data.set(part, valueOffsets[i]);
  }
  return { valueOffsets, data };
}

function listOf(
  type: List,
  values: readonly unknown[],
  nulls: { length: number; nullCount: number; nullBitmap: Uint8Array | undefined },
  path: string,
): Data {
  const valueOffsets = new Int32Array(values.length + 1);
  const inner: unknown[] = [];
  values.forEach((value, i) => {
    if (value !== null && value !== undefined) {
      for (const element of elementsOf(value, path)) inner.push(element);
    }
    valueOffsets[i + 1] = inner.length;
  });
  const child = columnOfValues((type.children[0] as Field).type, inner, `${path}[]`);
  return makeData({ type, ...nulls, valueOffsets, child });
}

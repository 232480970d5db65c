/** Columns as the decoder types them, in the types of the source: bytes stay where they are, with few exceptions. */
import { type Data, type DataType, makeData, type Struct, type Timestamp, TimeUnit, Type } from 'apache-arrow';
import { columnOfValues } from '../rows/column-of-values.ts';
import { microsOf, microsOfDay } from '../rows/time-values.ts';

export function columnOfDecoded(type: DataType, data: Data, path: string): Data {
  const { length, nullCount, nullBitmap, valueOffsets, values, children } = data;
  const nulls = { type, length, nullCount, nullBitmap: nullCount > 0 ? nullBitmap : undefined };
  const from: DataType = data.type;
  const { timezone } = type as Timestamp;
  if (type.typeId === Type.Timestamp && (from as Timestamp).unit === TimeUnit.MILLISECOND) {
    return makeData({ ...nulls, data: checked(data, (millis) => microsOf(1000n * millis, timezone, path)) } as never);
  }
  if (type.typeId === Type.Time) checked(data, (micros) => microsOfDay(micros, path));
  if (type.typeId === Type.Utf8 && from.typeId === Type.FixedSizeBinary) return columnOfValues(type, uuids(data), path);
  if (from.typeId !== type.typeId && !(holdsBytes(from) && holdsBytes(type))) {
    throw new Error(`column ${path}: got ${from}, expected ${type}`);
  }
  switch (type.typeId) {
    case Type.Utf8:
    case Type.Binary:
      return makeData({ ...nulls, valueOffsets, data: values } as never);
    case Type.List: {
      const child = columnOfDecoded(type.children?.[0]?.type as DataType, children[0] as Data, `${path}[]`);
      return makeData({ ...nulls, valueOffsets, child } as never);
    }
    case Type.Struct: {
      const members = (type as Struct).children.map((field, place) =>
        columnOfDecoded(field.type, children[place] as Data, `${path}.${field.name}`),
      );
      return makeData({ ...nulls, children: members } as never);
    }
    default:
      return makeData({ ...nulls, data: values } as never);
  }
}

function holdsBytes({ typeId }: DataType): boolean {
  return typeId === Type.Utf8 || typeId === Type.Binary;
}

/** As texts. */
function uuids(data: Data): unknown[] {
  const { values, length } = data;
  return Array.from({ length }, (_, row) => {
    if (!isValid(data, row)) return null;
    const hex = Buffer.from((values as Uint8Array).subarray(16 * row, 16 * row + 16)).toString('hex');
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  });
}

/** Values of 64 bits through `convert`; those of nulls are arbitrary and become 0. */
function checked(data: Data, convert: (value: bigint) => bigint): BigInt64Array {
  return (data.values as BigInt64Array).map((value, row) => (isValid(data, row) ? convert(value) : 0n));
}

function isValid({ nullCount, nullBitmap, offset }: Data, row: number): boolean {
  const bit = row + offset;
  return nullCount === 0 || (((nullBitmap?.[bit >> 3] ?? 0) >> (bit & 7)) & 1) === 1;
}

/** Columns as the decoder types them, in the types of the source: bytes stay where they are, with few exceptions. */
import { type Data, type DataType, makeData, type Struct, type Timestamp, TimeUnit, Type } from 'apache-arrow';
import { columnOfValues } from '../rows/column-of-values.ts';

export function columnOfDecoded(type: DataType, data: Data, path: string): Data {
  const { length, nullCount, nullBitmap, valueOffsets, values, children } = data;
  const nulls = { type, length, nullCount, nullBitmap: nullCount > 0 ? nullBitmap : undefined };
  const from: DataType = data.type;
  if (type.typeId === Type.Timestamp && (from as Timestamp).unit === TimeUnit.MILLISECOND) {
    return makeData({ ...nulls, data: (values as BigInt64Array).map((millis) => 1000n * millis) } as never);
  }
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
function uuids({ values, length, nullCount, nullBitmap }: Data): unknown[] {
  return Array.from({ length }, (_, row) => {
    const isNull = nullCount > 0 && (((nullBitmap?.[row >> 3] ?? 0) >> (row & 7)) & 1) === 0;
    if (isNull) return null;
    const hex = Buffer.from((values as Uint8Array).subarray(16 * row, 16 * row + 16)).toString('hex');
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  });
}

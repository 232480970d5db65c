/** The Parquet columns of an Arrow schema, and the values that the writer expects in them. */
import {
  type DataType,
  type Decimal,
  type Field,
  type List,
  Precision,
  type Schema,
  type Struct,
  type Timestamp,
  Type,
} from 'apache-arrow';
import type { SchemaElement } from 'hyparquet';
import type { Cell } from '../rows/read-cells.ts';
import { unmappedType } from '../source-error.ts';

/** @throws TopoBenchError `TB_SOURCE_TYPE` */
export function parquetSchemaOf(schema: Schema): SchemaElement[] {
  const columns = schema.fields.flatMap(({ name, type }) => elementsOf(type, name, name));
  return [{ name: 'schema', num_children: schema.fields.length }, ...columns];
}

function elementsOf(type: DataType, name: string, path: string): SchemaElement[] {
  const optional = { name, repetition_type: 'OPTIONAL' } as const;
  if (type.typeId === Type.List) {
    const item = elementsOf(((type as List).children[0] as Field).type, 'element', `${path}[]`);
    const list: SchemaElement = { name: 'list', repetition_type: 'REPEATED', num_children: 1 };
    return [{ ...optional, converted_type: 'LIST', logical_type: { type: 'LIST' }, num_children: 1 }, list, ...item];
  }
  if (type.typeId === Type.Struct) {
    const { children } = type as Struct;
    const members = children.flatMap((field: Field) => elementsOf(field.type, field.name, `${path}.${field.name}`));
    return [{ ...optional, num_children: children.length }, ...members];
  }
  const element = scalarOf(type);
  if (!element) throw unmappedType(path, `${type}`, 'Parquet has no type for it here: leave it out');
  return [{ ...optional, ...element }];
}

function scalarOf(type: DataType): Partial<SchemaElement> | undefined {
  switch (type.typeId) {
    case Type.Bool:
      return { type: 'BOOLEAN' };
    case Type.Int: {
      const { bitWidth, isSigned } = type as unknown as { bitWidth: 8 | 16 | 32 | 64; isSigned: boolean };
      const physical = bitWidth === 64 ? 'INT64' : 'INT32';
      if (isSigned && bitWidth >= 32) return { type: physical };
      const converted_type = `${isSigned ? '' : 'U'}INT_${bitWidth}` as const;
      return { type: physical, converted_type, logical_type: { type: 'INTEGER', bitWidth, isSigned } };
    }
    case Type.Float: {
      const { precision } = type as unknown as { precision: Precision };
      return precision === Precision.HALF ? undefined : { type: precision === Precision.SINGLE ? 'FLOAT' : 'DOUBLE' };
    }
    case Type.Decimal:
      return decimalOf(type as Decimal);
    case Type.Utf8:
      return { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } };
    case Type.Binary:
      return { type: 'BYTE_ARRAY' };
    case Type.Date:
      return { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } };
    case Type.Timestamp: {
      const isAdjustedToUTC = Boolean((type as Timestamp).timezone);
      return { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC, unit: 'MICROS' } };
    }
    case Type.Time:
      return { type: 'INT64', logical_type: { type: 'TIME', isAdjustedToUTC: false, unit: 'MICROS' } };
  }
  return undefined;
}

/** The narrowest physical type, as other writers choose it. */
function decimalOf({ precision, scale }: Decimal): Partial<SchemaElement> | undefined {
  if (scale < 0 || scale > precision) return undefined;
  const annotation = { converted_type: 'DECIMAL', logical_type: { type: 'DECIMAL', precision, scale } } as const;
  if (precision <= 18) return { type: precision <= 9 ? 'INT32' : 'INT64', precision, scale, ...annotation };
  return { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, precision, scale, ...annotation };
}

/** Decimals are written as unscaled integers. */
export function writtenValue(type: DataType): (cell: Cell) => unknown {
  if (type.typeId === Type.Decimal) return (cell) => (cell === null ? null : BigInt((cell as string).replace('.', '')));
  if (type.typeId === Type.List) {
    const item = writtenValue(((type as List).children[0] as Field).type);
    return (cell) => (cell === null ? null : (cell as readonly Cell[]).map(item));
  }
  if (type.typeId === Type.Struct) {
    const members = (type as Struct).children.map(({ name, type }: Field) => [name, writtenValue(type)] as const);
    return (cell) =>
      cell === null
        ? null
        : Object.fromEntries(
            members.map(([name, member]) => [name, member((cell as Record<string, Cell>)[name] ?? null)]),
          );
  }
  return (cell) => cell;
}

/** Values of an Arrow column as BSON. What BSON lacks (microseconds, small integers) is restored from the schema. */
import { dateText } from '@topo-bench/core';
import { type DataType, type Field, type List, type Struct, Type } from 'apache-arrow';
import { Binary, Decimal128, Double, Int32, Long } from 'mongodb';
import type { Cell } from '../rows/read-cells.ts';
import { unfitValue, unmappedType } from '../source-error.ts';

/** @throws TopoBenchError `TB_SOURCE_TYPE`; the converter throws `TB_SOURCE_VALUE` */
export function bsonOf(type: DataType, path: string): (cell: NonNullable<Cell>) => unknown {
  switch (type.typeId) {
    case Type.Bool:
    case Type.Utf8:
      return (cell) => cell;
    case Type.Int: {
      const { bitWidth, isSigned } = type as unknown as { bitWidth: number; isSigned: boolean };
      if (bitWidth === 64 && !isSigned) break;
      return bitWidth < 32 || (bitWidth === 32 && isSigned)
        ? (cell) => new Int32(cell as number)
        : (cell) => Long.fromBigInt(BigInt(cell as number));
    }
    case Type.Float:
      return (cell) => new Double(cell as number);
    case Type.Decimal:
      return (cell) => decimalOf(cell as string, path);
    case Type.Binary:
      // A copy: the driver writes the whole buffer.
      return (cell) => new Binary(Uint8Array.from(cell as Uint8Array));
    case Type.Date:
      return (cell) => midnightOf(cell as number, path);
    case Type.Time:
    case Type.Timestamp:
      return (cell) => Long.fromBigInt(cell as bigint);
    case Type.List: {
      const item = nullable(bsonOf(((type as List).children[0] as Field).type, `${path}[]`));
      return (cell) => (cell as readonly Cell[]).map(item);
    }
    case Type.Struct: {
      const members = (type as Struct).children.map(
        (field: Field) => [field.name, nullable(bsonOf(field.type, `${path}.${field.name}`))] as const,
      );
      return (cell) =>
        Object.fromEntries(
          members.map(([name, member]) => [name, member((cell as Record<string, Cell>)[name] ?? null)]),
        );
    }
  }
  throw unmappedType(path, `${type}`, 'BSON has no type for it: leave it out, or load another store');
}

function nullable(convert: (cell: NonNullable<Cell>) => unknown): (cell: Cell) => unknown {
  return (cell) => (cell === null ? null : convert(cell));
}

/** The driver writes dates beyond `Date` as those of 1970. */
function midnightOf(days: number, path: string): Date {
  const date = new Date(days * 86_400_000);
  if (!Number.isNaN(date.getTime())) return date;
  throw unfitValue(path, dateText(days), 'a date up to 275760-09-13', 'load another store');
}

/** BSON decimals have 34 digits. */
function decimalOf(text: string, path: string): Decimal128 {
  try {
    return Decimal128.fromString(text);
  } catch {
    throw unfitValue(path, text, 'at most 34 digits', 'BSON has no longer decimals: load another store');
  }
}

/** Columns of a PostgreSQL table for an Arrow schema: those that read back as the same schema. */
import {
  type DataType,
  type Decimal,
  type Field,
  type List,
  Precision,
  type Schema,
  type Timestamp,
  Type,
} from 'apache-arrow';
import pg from 'pg';
import { unmappedType } from '../source-error.ts';

/** @returns e.g. `"price" numeric(7, 2)` @throws TopoBenchError `TB_SOURCE_TYPE` */
export function columnDefinitions(schema: Schema): string[] {
  return schema.fields.map(({ name, type }) => `${pg.escapeIdentifier(name)} ${typeName(type, name)}`);
}

function typeName(type: DataType, path: string): string {
  switch (type.typeId) {
    case Type.Bool:
      return 'boolean';
    case Type.Int: {
      const name = integers[String(type)];
      if (name) return name;
      break;
    }
    case Type.Float: {
      const { precision } = type as unknown as { precision: Precision };
      if (precision !== Precision.HALF) return precision === Precision.SINGLE ? 'real' : 'double precision';
      break;
    }
    case Type.Decimal:
      return `numeric(${(type as Decimal).precision}, ${(type as Decimal).scale})`;
    case Type.Utf8:
      return 'text';
    case Type.Binary:
      return 'bytea';
    case Type.Date:
      return 'date';
    case Type.Time:
      return 'time';
    case Type.Timestamp:
      return (type as Timestamp).timezone ? 'timestamptz' : 'timestamp';
    case Type.List: {
      const { type: item } = (type as List).children[0] as Field;
      if (item.typeId !== Type.List) return `${typeName(item, path)}[]`;
      break;
    }
  }
  throw unmappedType(path, `${type}`, 'PostgreSQL has no column type for it: leave it out, or load another store');
}

const integers: Readonly<Record<string, string>> = {
  Int16: 'smallint',
  Int32: 'integer',
  Int64: 'bigint',
  Uint32: 'oid',
};

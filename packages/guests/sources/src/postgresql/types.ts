/** PostgreSQL's types as Arrow types, by object id and modifier. */
import {
  Binary,
  Bool,
  type DataType,
  DateDay,
  Decimal,
  Field,
  Float32,
  Float64,
  Int16,
  Int32,
  Int64,
  List,
  TimeMicrosecond,
  TimestampMicrosecond,
  Uint32,
  Utf8,
} from 'apache-arrow';
import { unmappedType } from '../source-error.ts';

const castToText = 'read it through a query that casts it, e.g. column::text';
const castToNumeric = 'read it through a query that casts it, e.g. column::numeric(38, 9)';

const scalars: Readonly<Record<number, () => DataType>> = {
  16: () => new Bool(),
  17: () => new Binary(),
  18: () => new Utf8(), // "char"
  19: () => new Utf8(), // name
  20: () => new Int64(),
  21: () => new Int16(),
  23: () => new Int32(),
  25: () => new Utf8(),
  26: () => new Uint32(), // oid
  114: () => new Utf8(), // json
  700: () => new Float32(),
  701: () => new Float64(),
  1042: () => new Utf8(), // character(n)
  1043: () => new Utf8(),
  1082: () => new DateDay(),
  1083: () => new TimeMicrosecond(),
  1114: () => new TimestampMicrosecond(),
  1184: () => new TimestampMicrosecond('UTC'),
  2950: () => new Utf8(), // uuid
  3802: () => new Utf8(), // jsonb
};

/** Element type by the object id of the array type. */
export const elementTypes: Readonly<Record<number, number>> = {
  199: 114,
  1000: 16,
  1001: 17,
  1002: 18,
  1003: 19,
  1005: 21,
  1007: 23,
  1009: 25,
  1014: 1042,
  1015: 1043,
  1016: 20,
  1021: 700,
  1022: 701,
  1028: 26,
  1115: 1114,
  1182: 1082,
  1183: 1083,
  1185: 1184,
  1231: 1700,
  2951: 2950,
  3807: 3802,
};

/** Object id of `numeric`. */
export const numericId = 1700;

export interface PostgresColumn {
  name: string;
  typeId: number;
  /** -1 for none. */
  modifier: number;
}

/**
 * @param typeName name of the type, for messages
 * @throws TopoBenchError `TB_SOURCE_TYPE`
 */
export function arrowTypeOf({ name, typeId, modifier }: PostgresColumn, typeName: string): DataType {
  if (typeId === numericId) return decimalOf(name, modifier);
  const scalar = scalars[typeId];
  if (scalar) return scalar();
  const elementId = elementTypes[typeId];
  if (elementId === undefined) throw unmappedType(name, typeName, castToText);
  const element = arrowTypeOf({ name, typeId: elementId, modifier }, typeName);
  return new List(new Field('item', element, true));
}

/** Precision is in the upper 16 bits, scale as 11 bits in two's complement. */
function decimalOf(name: string, modifier: number): Decimal {
  if (modifier < 0) throw unmappedType(name, 'numeric without precision', castToNumeric);
  const precision = ((modifier - 4) >> 16) & 0xffff;
  const scale = (((modifier - 4) & 0x7ff) ^ 1024) - 1024;
  if (precision > 38) throw unmappedType(name, `numeric(${precision}, ${scale})`, castToNumeric);
  return new Decimal(scale, precision, 128);
}

/**
 * Maps PostgreSQL types to Arrow types. Types without an exact counterpart are sent as the text that PostgreSQL prints:
 * numbers without a fixed scale, documents, intervals, arrays, and unlisted types.
 */
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
  Schema,
  TimeMicrosecond,
  TimestampMicrosecond,
  Uint32,
  Utf8,
} from 'apache-arrow';
import type { SqlColumn } from './sql-source.ts';

/** OIDs from pg_type.dat, fixed for built-in types. */
const typeIds = {
  bool: 16,
  bytea: 17,
  int8: 20,
  int2: 21,
  int4: 23,
  text: 25,
  oid: 26,
  json: 114,
  float4: 700,
  float8: 701,
  bpchar: 1042,
  varchar: 1043,
  date: 1082,
  time: 1083,
  timestamp: 1114,
  timestamptz: 1184,
  interval: 1186,
  numeric: 1700,
  uuid: 2950,
  jsonb: 3802,
} as const;

const namesOfIds = new Map<number, string>(Object.entries(typeIds).map(([name, id]) => [id, name]));
const maxDigits = 38;

const exactTypes: ReadonlyMap<number, DataType> = new Map<number, DataType>([
  [typeIds.bool, new Bool()],
  [typeIds.bytea, new Binary()],
  [typeIds.int2, new Int16()],
  [typeIds.int4, new Int32()],
  [typeIds.int8, new Int64()],
  [typeIds.oid, new Uint32()],
  [typeIds.float4, new Float32()],
  [typeIds.float8, new Float64()],
  [typeIds.date, new DateDay()],
  [typeIds.time, new TimeMicrosecond()],
  [typeIds.timestamp, new TimestampMicrosecond()],
  [typeIds.timestamptz, new TimestampMicrosecond('UTC')],
]);

/** The schema of a result. Every column is nullable. */
export function schemaOf(columns: readonly SqlColumn[]): Schema {
  return new Schema(columns.map(fieldOf));
}

/** The schema of the parameters `$1`, `$2`, …, named by number. */
export function parameterSchema(parameterTypeIds: readonly number[]): Schema {
  return schemaOf(parameterTypeIds.map((typeId, i) => ({ name: String(i + 1), typeId, modifier: -1 })));
}

function fieldOf({ name, typeId, modifier }: SqlColumn): Field {
  const typeName = namesOfIds.get(typeId);
  const metadata = typeName === undefined ? undefined : new Map([['ARROW:FLIGHT:SQL:TYPE_NAME', typeName]]);
  return new Field(name, typeOf(typeId, modifier), true, metadata);
}

function typeOf(typeId: number, modifier: number): DataType {
  if (typeId === typeIds.numeric) return numericType(modifier);
  return exactTypes.get(typeId) ?? new Utf8();
}

/** The modifier is ((precision << 16) | scale) + 4, with a signed 11-bit scale (numeric.c). */
function numericType(modifier: number): DataType {
  if (modifier < 4) return new Utf8();
  const precision = (modifier - 4) >> 16;
  const scale = (((modifier - 4) & 0x7ff) ^ 1024) - 1024;
  const isDecimal = precision <= maxDigits && scale >= 0 && scale <= precision;
  return isDecimal ? new Decimal(scale, precision) : new Utf8();
}

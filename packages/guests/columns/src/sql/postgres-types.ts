/** PostgreSQL's scalar types and their counterparts in Arrow, by object id. */
import {
  Binary,
  Bool,
  type DataType,
  DateDay,
  Float32,
  Float64,
  Int16,
  Int32,
  Int64,
  TimeMicrosecond,
  TimestampMicrosecond,
  Uint32,
  Utf8,
} from 'apache-arrow';

/** Object id of `numeric`, whose Arrow type depends on its modifier. */
export const numericId = 1700;

/** Object ids from pg_type.dat, fixed for built-in types. A type without counterpart has a name alone. */
export const postgresTypes: ReadonlyMap<number, { name: string; type?: DataType }> = new Map([
  [16, { name: 'bool', type: new Bool() }],
  [17, { name: 'bytea', type: new Binary() }],
  [18, { name: 'char', type: new Utf8() }],
  [19, { name: 'name', type: new Utf8() }],
  [20, { name: 'int8', type: new Int64() }],
  [21, { name: 'int2', type: new Int16() }],
  [23, { name: 'int4', type: new Int32() }],
  [25, { name: 'text', type: new Utf8() }],
  [26, { name: 'oid', type: new Uint32() }],
  [114, { name: 'json', type: new Utf8() }],
  [700, { name: 'float4', type: new Float32() }],
  [701, { name: 'float8', type: new Float64() }],
  [1042, { name: 'bpchar', type: new Utf8() }],
  [1043, { name: 'varchar', type: new Utf8() }],
  [1082, { name: 'date', type: new DateDay() }],
  [1083, { name: 'time', type: new TimeMicrosecond() }],
  [1114, { name: 'timestamp', type: new TimestampMicrosecond() }],
  [1184, { name: 'timestamptz', type: new TimestampMicrosecond('UTC') }],
  [1186, { name: 'interval' }],
  [numericId, { name: 'numeric' }],
  [2950, { name: 'uuid', type: new Utf8() }],
  [3802, { name: 'jsonb', type: new Utf8() }],
]);

/**
 * @param modifier ((precision << 16) | scale) + 4 with a signed 11-bit scale (numeric.c), or −1 for none
 * @returns nothing for a `numeric` without precision
 */
export function numericDigits(modifier: number): { precision: number; scale: number } | undefined {
  if (modifier < 4) return undefined;
  return { precision: ((modifier - 4) >> 16) & 0xffff, scale: (((modifier - 4) & 0x7ff) ^ 1024) - 1024 };
}

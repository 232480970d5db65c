/**
 * Converts column values to JSON, for the JSON forms of a table and for rules. Integers beyond 2^53 and decimals become
 * text, times ISO 8601, bytes base64. A null member is omitted.
 */
import { type Data, DataType, DateUnit, TimeUnit, Vector } from 'apache-arrow';

export type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue };

/** Reads the value of one row; undefined for null. */
export type ReadValue = (row: number) => JsonValue | undefined;

/** Selects the reader for the type of a column. */
export function valueReader(data: Data): ReadValue {
  const { type } = data;
  const vector = new Vector([data]);
  if (DataType.isTimestamp(type)) {
    const values = data.values as BigInt64Array;
    const perMs = {
      [TimeUnit.SECOND]: 0.001,
      [TimeUnit.MILLISECOND]: 1,
      [TimeUnit.MICROSECOND]: 1e3,
      [TimeUnit.NANOSECOND]: 1e6,
    };
    const divisor = perMs[type.unit];
    return (row) => (data.getValid(row) ? isoTime(Number(values[row]) / divisor) : undefined);
  }
  if (DataType.isDate(type)) {
    const values = data.values as Int32Array | BigInt64Array;
    const ms = type.unit === DateUnit.DAY ? 864e5 : 1;
    return (row) => (data.getValid(row) ? isoTime(Number(values[row]) * ms).slice(0, 10) : undefined);
  }
  if (DataType.isDecimal(type)) return (row) => (data.getValid(row) ? String(vector.get(row)) : undefined);
  if (DataType.isList(type) || DataType.isLargeList(type) || DataType.isFixedSizeList(type)) {
    const child = valueReader(data.children[0] as Data);
    const size = DataType.isFixedSizeList(type) ? type.listSize : undefined;
    const at = (row: number): number => (size === undefined ? Number(data.valueOffsets[row]) : row * size);
    return (row) => {
      if (!data.getValid(row)) return undefined;
      const list: JsonValue[] = [];
      for (let i = at(row); i < at(row + 1); i++) list.push(child(i) ?? null);
      return list;
    };
  }
  if (DataType.isStruct(type)) {
    const members = type.children.map((field, i) => [field.name, valueReader(data.children[i] as Data)] as const);
    return (row) => (data.getValid(row) ? objectOf(members, row) : undefined);
  }
  return (row) => jsonOf(vector.get(row));
}

/** The non-null members of a row. */
export function objectOf(
  members: readonly (readonly [string, ReadValue])[],
  row: number,
): { [name: string]: JsonValue } {
  const object: { [name: string]: JsonValue } = {};
  for (const [name, read] of members) {
    const value = read(row);
    // No assignment: a column may be named __proto__.
    if (value !== undefined)
      Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return object;
}

function isoTime(ms: number): string {
  return Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : String(ms);
}

function jsonOf(value: unknown): JsonValue | undefined {
  if (value === null || value === undefined) return undefined;
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    default:
      break;
  }
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([key, one]) => [String(key), jsonOf(one) ?? null]));
  if (typeof (value as Iterable<unknown>)[Symbol.iterator] !== 'function') return String(value);
  return [...(value as Iterable<unknown>)].map((one) => jsonOf(one) ?? null);
}

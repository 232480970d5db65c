/**
 * Converts column values to JSON, for the JSON forms of a table and for rules. Integers beyond 2^53 and decimals become
 * text, times ISO 8601, bytes base64. A null member is omitted.
 */
import { clockText, fractionText, isoDate } from '@topo-bench/core';
import { type Data, DataType, DateUnit, TimeUnit, Vector } from 'apache-arrow';

export type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue };

/** Reads the value of one row; undefined for null. */
export type ReadValue = (row: number) => JsonValue | undefined;

/** Selects the reader for the type of a column. */
export function valueReader(data: Data): ReadValue {
  const { type } = data;
  const vector = new Vector([data]);
  if (DataType.isTimestamp(type)) {
    const digits = fractionDigits[type.unit];
    return (row) => (data.getValid(row) ? isoInstant(BigInt(data.values[row]), digits) : undefined);
  }
  if (DataType.isTime(type)) {
    const digits = fractionDigits[type.unit];
    return (row) => (data.getValid(row) ? isoClock(BigInt(data.values[row]), digits) : undefined);
  }
  if (DataType.isDate(type)) {
    const perDay = type.unit === DateUnit.DAY ? 1 : 86_400_000;
    return (row) => (data.getValid(row) ? isoDate(Math.floor(Number(data.values[row]) / perDay)) : undefined);
  }
  if (DataType.isDecimal(type))
    return (row) => (data.getValid(row) ? decimalText(vector.get(row) as Uint32Array, type.scale) : undefined);
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

const fractionDigits: Readonly<Record<TimeUnit, number>> = {
  [TimeUnit.SECOND]: 0,
  [TimeUnit.MILLISECOND]: 3,
  [TimeUnit.MICROSECOND]: 6,
  [TimeUnit.NANOSECOND]: 9,
};

/** @param ticks since 1970-01-01, with this number of digits after the second */
function isoInstant(ticks: bigint, digits: number): string {
  const perDay = 86_400n * 10n ** BigInt(digits);
  const ofDay = ((ticks % perDay) + perDay) % perDay;
  return `${isoDate(Number((ticks - ofDay) / perDay))}T${isoClock(ofDay, digits)}Z`;
}

/** With three digits after the second, or more where they are not 0. @param ticks since midnight */
function isoClock(ticks: bigint, digits: number): string {
  const perSecond = 10n ** BigInt(digits);
  const fraction = fractionText(ticks % perSecond, digits).slice(1);
  return `${clockText((ticks / perSecond) * 1_000_000n)}.${fraction.padEnd(3, '0')}`;
}

/** e.g. `-12.50`. @param words of 32 bits, the lowest first */
export function decimalText(words: Uint32Array, scale: number): string {
  const unsigned = words.reduceRight((value, word) => (value << 32n) | BigInt(word), 0n);
  const value = BigInt.asIntN(32 * words.length, unsigned);
  const sign = value < 0n ? '-' : '';
  const size = value < 0n ? -value : value;
  if (scale <= 0) return `${sign}${size * 10n ** BigInt(-scale)}`;
  const digits = String(size).padStart(scale + 1, '0');
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
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

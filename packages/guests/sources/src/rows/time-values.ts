/** Dates and times as Arrow has them, from any form of a driver. */
import { daysOfText, microsOfClock, microsOfText } from '@topo-bench/core';
import { unfitValue } from '../source-error.ts';
import { bsonTypeOf } from './scalar-values.ts';

const dayMs = 86_400_000;
const dayMicros = 86_400_000_000n;
const infinite = 'a finite point in time';

/** Days since 1970-01-01. @param value text, days, or a Date at midnight UTC */
export function daysOf(value: unknown, path: string): number {
  const days = typeof value === 'string' ? daysOfText(value) : value instanceof Date ? value.getTime() / dayMs : value;
  if (typeof days === 'number' && days === (days | 0)) return days;
  const expected = value instanceof Date ? 'a date at midnight UTC' : 'a date';
  throw unfitValue(path, value, isInfinite(value) ? infinite : expected);
}

/**
 * Microseconds since 1970-01-01, UTC.
 * @param value text as of ISO 8601 or PostgreSQL, a Date, or a whole number of microseconds
 * @param zone of the column; a text with an offset is only right in a column with one
 */
export function microsOf(value: unknown, zone: string | null | undefined, path: string): bigint {
  const micros = microsIn(value);
  if (micros !== undefined && micros === BigInt.asIntN(64, micros)) return micros;
  const expected = `a timestamp ${zone ? 'with' : 'without'} time zone, in microseconds of 64 bits`;
  throw unfitValue(path, value, isInfinite(value) ? infinite : expected);
}

/** Microseconds since midnight. @param value text such as `23:59:59.5`, or a whole number of microseconds */
export function microsOfDay(value: unknown, path: string): bigint {
  const micros = typeof value === 'string' ? microsOfClock(value) : countOf(value);
  if (micros !== undefined && micros >= 0n && micros < dayMicros) return micros;
  throw unfitValue(path, value, 'a time of day before 24:00:00');
}

function microsIn(value: unknown): bigint | undefined {
  if (typeof value === 'string') return microsOfText(value);
  if (!(value instanceof Date)) return countOf(value);
  return Number.isNaN(value.getTime()) ? undefined : BigInt(value.getTime()) * 1000n;
}

/** A count that a driver gives as number, bigint or BSON Long. */
function countOf(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  return bsonTypeOf(value) === 'Long' ? BigInt(String(value)) : undefined;
}

function isInfinite(value: unknown): boolean {
  return value === 'infinity' || value === '-infinity';
}

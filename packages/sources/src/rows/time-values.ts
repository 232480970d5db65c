/**
 * Dates and times as Arrow has them. Texts are read here, since `Date` has neither microseconds nor years of five
 * digits in PostgreSQL's form.
 */
import { unfitValue } from '../source-error.ts';

const dayMs = 86_400_000;
const dateForm = /^(\d{4,7})-(\d\d)-(\d\d)( BC)?$/;
const timestampForm =
  /^(\d{4,7}-\d\d-\d\d)[ T](\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?(Z|[+-]\d\d(?::?\d\d(?::?\d\d)?)?)?( BC)?$/;
const timeForm = /^(\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?$/;
const infinite = 'a finite point in time';

/** Days since 1970-01-01. @param value text, days, or a Date at midnight UTC */
export function daysOf(value: unknown, path: string): number {
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  const expected = 'a date';
  if (value instanceof Date) {
    const days = value.getTime() / dayMs;
    if (!Number.isInteger(days)) throw unfitValue(path, value, `${expected} at midnight UTC`);
    return days;
  }
  const days = typeof value === 'string' ? daysOfText(value) : undefined;
  if (days === undefined) throw unfitValue(path, value, isInfinite(value) ? infinite : expected);
  return days;
}

/**
 * Microseconds since 1970-01-01, UTC.
 * @param value text as of ISO 8601 or PostgreSQL, a Date, or a whole number of microseconds
 * @param zone of the column; a text with an offset is only right in a column with one
 */
export function microsOf(value: unknown, zone: string | null | undefined, path: string): bigint {
  const counted = countOf(value);
  if (counted !== undefined) return counted;
  if (value instanceof Date && !Number.isNaN(value.getTime())) return BigInt(value.getTime()) * 1000n;
  const micros = typeof value === 'string' ? microsOfText(value) : undefined;
  if (micros === undefined) {
    const expected = `a timestamp ${zone ? 'with' : 'without'} time zone`;
    throw unfitValue(path, value, isInfinite(value) ? infinite : expected);
  }
  return micros;
}

/** Microseconds since midnight. @param value text such as `23:59:59.5`, or a whole number of microseconds */
export function microsOfDay(value: unknown, path: string): bigint {
  const counted = countOf(value);
  if (counted !== undefined) return counted;
  const [, hours, minutes, seconds, fraction] = (typeof value === 'string' && timeForm.exec(value)) || [];
  if (hours === undefined) throw unfitValue(path, value, 'a time of day');
  return BigInt(secondsOf(hours, minutes, seconds)) * 1_000_000n + fractionOf(fraction);
}

/** A count that a driver gives as number, bigint or BSON Long. */
function countOf(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  return (value as { _bsontype?: string })._bsontype === 'Long' ? BigInt(String(value)) : undefined;
}

function daysOfText(text: string): number | undefined {
  const [, year, month, day, before] = dateForm.exec(text) ?? [];
  if (year === undefined) return undefined;
  const date = new Date(0);
  // `Date.UTC` would read years below 100 as 19xx.
  date.setUTCFullYear(before ? 1 - Number(year) : Number(year), Number(month) - 1, Number(day));
  // A month or day that does not exist is one of the following month.
  const exists = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  return exists ? date.getTime() / dayMs : undefined;
}

function microsOfText(text: string): bigint | undefined {
  const [, date, hours, minutes, seconds, fraction, offset, before] = timestampForm.exec(text) ?? [];
  if (date === undefined) return undefined;
  const days = daysOfText(`${date}${before ?? ''}`);
  if (days === undefined) return undefined;
  const second = days * 86_400 + secondsOf(hours, minutes, seconds) - offsetSeconds(offset);
  return BigInt(second) * 1_000_000n + fractionOf(fraction);
}

function secondsOf(hours?: string, minutes?: string, seconds?: string): number {
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

function fractionOf(digits = ''): bigint {
  return BigInt(digits.padEnd(6, '0'));
}

function offsetSeconds(offset: string | undefined): number {
  if (offset === undefined || offset === 'Z') return 0;
  const [hours, minutes = '0', seconds = '0'] = offset.match(/\d\d/g) ?? [];
  return (offset[0] === '-' ? -1 : 1) * secondsOf(hours, minutes, seconds);
}

function isInfinite(value: unknown): boolean {
  return value === 'infinity' || value === '-infinity';
}

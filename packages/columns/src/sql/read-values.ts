/** Parses values that PostgreSQL prints (ISO style) into the numbers that Arrow stores. */
import { FlightError } from '@topo-bench/arrow-flight';

const usPerSecond = 1_000_000n;
const usPerMinute = 60n * usPerSecond;
const msPerDay = 86_400_000;

/** Error for a value without an Arrow representation. */
function beyond(value: string, what: string): FlightError {
  return new FlightError('out-of-range', `cannot represent ${value} as ${what} in Arrow`, {
    hint: 'cast the column to text in the query',
  });
}

/** @returns days since 1970-01-01 */
export function readDate(value: string): number {
  const match = /^(\d{4,7})-(\d\d)-(\d\d)( BC)?$/.exec(value);
  if (!match) throw beyond(value, 'date');
  return daysOf(match) ?? raise(beyond(value, 'date'));
}

/** @returns µs since midnight */
export function readTime(value: string): bigint {
  const match = /^(\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?$/.exec(value);
  if (!match) throw beyond(value, 'time of day');
  return microsecondsOf(match[1], match[2], match[3], match[4]);
}

/** @returns µs since 1970-01-01; UTC if there is no offset */
export function readTimestamp(value: string): bigint {
  const match =
    /^(\d{4,7})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?(?:([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?)?( BC)?$/.exec(
      value,
    );
  const days = match && daysOf([match[0], match[1], match[2], match[3], match[12]]);
  if (!match || days === undefined) throw beyond(value, 'time');
  const [, , , , hour, minute, second, fraction, sign, offsetHour, offsetMinute, offsetSecond] = match;
  const offset = microsecondsOf(offsetHour, offsetMinute, offsetSecond, undefined);
  const local = BigInt(days as number) * BigInt(msPerDay) * 1000n + microsecondsOf(hour, minute, second, fraction);
  return sign === '-' ? local + offset : local - offset;
}

/** @returns the value times 10^scale */
export function readDecimal(value: string, scale: number): bigint {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value);
  const fraction = match?.[3] ?? '';
  if (!match || fraction.length > scale) throw beyond(value, 'decimal number');
  const digits = BigInt((match[2] as string) + fraction.padEnd(scale, '0'));
  return match[1] ? -digits : digits;
}

export function readFloat(value: string): number {
  const number = Number(value);
  if (Number.isNaN(number) && value !== 'NaN') throw beyond(value, 'number');
  return number;
}

/** Parses bytes in hex format: `\x`, then two digits per byte. */
export function readBytes(value: string): Uint8Array {
  if (!value.startsWith('\\x')) throw beyond(value.slice(0, 20), 'hex bytes');
  return Buffer.from(value.slice(2), 'hex');
}

function daysOf([, year, month, day, era]: readonly (string | undefined)[]): number | undefined {
  // There is no year 0: 1 BC is the year before AD 1.
  const astronomical = era ? 1 - Number(year) : Number(year);
  const date = new Date(0);
  date.setUTCFullYear(astronomical, Number(month) - 1, Number(day));
  // A month or day that does not exist is one of the following month.
  const exists = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  return exists ? date.getTime() / msPerDay : undefined;
}

function microsecondsOf(hour = '0', minute = '0', second = '0', fraction = ''): bigint {
  return (
    (BigInt(hour) * 60n + BigInt(minute)) * usPerMinute +
    BigInt(second) * usPerSecond +
    BigInt(fraction.padEnd(6, '0') || '0')
  );
}

function raise(error: Error): never {
  throw error;
}

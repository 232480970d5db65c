/** Parses values that PostgreSQL prints (ISO style) into the numbers that Arrow stores. */
import { FlightError } from '@topo-bench/arrow-flight';
import { daysOfText, microsOfClock, microsOfText } from '@topo-bench/core';

/** Error for a value without an Arrow representation. */
function beyond(value: string, what: string): FlightError {
  return new FlightError('out-of-range', `cannot represent ${value} as ${what} in Arrow`, {
    hint: 'cast the column to text in the query',
  });
}

/** @returns days since 1970-01-01 */
export function readDate(value: string): number {
  const days = daysOfText(value);
  return days !== undefined && days === (days | 0) ? days : raise(beyond(value, 'date'));
}

/** @returns µs since midnight. PostgreSQL also has `24:00:00`, which Arrow has not. */
export function readTime(value: string): bigint {
  return microsOfClock(value) ?? raise(beyond(value, 'time of day'));
}

/** @returns µs since 1970-01-01; UTC if there is no offset */
export function readTimestamp(value: string): bigint {
  const micros = microsOfText(value);
  return micros !== undefined && micros === BigInt.asIntN(64, micros) ? micros : raise(beyond(value, 'time'));
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

function raise(error: Error): never {
  throw error;
}

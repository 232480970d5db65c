/**
 * Values of drivers as exact values of an Arrow type. A value that the type would change is an error: both rows and
 * columns of a source go through these functions. `path` is the name of the column, with the names of its parents.
 */
import { type Float, type Int, Precision } from 'apache-arrow';
import { unfitValue } from '../source-error.ts';

/** @throws TopoBenchError `TB_SOURCE_VALUE`, as all functions here */
export function booleanOf(value: unknown, path: string): boolean {
  if (typeof value === 'boolean') return value;
  throw unfitValue(path, value, 'a boolean');
}

/** @returns a function to bigint for 64 bits, else to number */
export function integerConverter({ bitWidth, isSigned }: Int, path: string): (value: unknown) => number | bigint {
  const expected = `${isSigned ? 'a' : 'an unsigned'} whole number of ${bitWidth} bits`;
  const min = isSigned ? -(2n ** BigInt(bitWidth - 1)) : 0n;
  const max = 2n ** BigInt(isSigned ? bitWidth - 1 : bitWidth) - 1n;
  if (bitWidth === 64) {
    return (value) => {
      const whole = wholeOf(value);
      if (whole === undefined || whole < min || whole > max) throw unfitValue(path, value, expected);
      return whole;
    };
  }
  const [low, high] = [Number(min), Number(max)];
  return (value) => {
    const number = typeof value === 'number' ? value : Number(wholeOf(value) ?? Number.NaN);
    if (!(Number.isInteger(number) && number >= low && number <= high)) throw unfitValue(path, value, expected);
    return number;
  };
}

/** Numbers beyond 2^53 have lost digits and are rejected. */
function wholeOf(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  const text = typeof value === 'string' || integersOfBson.includes(bsonTypeOf(value) ?? '') ? String(value) : '';
  return /^-?\d+$/.test(text) ? BigInt(text) : undefined;
}

const integersOfBson: readonly string[] = ['Int32', 'Long'];

/** Whole numbers that 64 bits of floating point would round are rejected. */
export function floatConverter(type: Float, path: string): (value: unknown) => number {
  const stored = type.precision === Precision.DOUBLE ? (number: number) => number : Math.fround;
  return (value) => {
    const number = numberOf(value);
    // A text of few digits, such as the largest number of 32 bits, is that number once rounded.
    if (number === undefined || Number.isFinite(number) !== Number.isFinite(stored(number)))
      throw unfitValue(path, value, `a number (${type})`);
    return number;
  };
}

function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') {
    const number = Number(value);
    return value.trim() !== '' && (value === 'NaN' || !Number.isNaN(number)) ? number : undefined;
  }
  if (bsonTypeOf(value) === 'Double') return Number(value);
  const whole = wholeOf(value);
  if (whole === undefined) return undefined;
  const number = Number(whole);
  return BigInt(number) === whole ? number : undefined;
}

export function textOf(value: unknown, path: string): string {
  if (typeof value === 'string') return value;
  if (bsonTypeOf(value) === 'ObjectId') return String(value);
  throw unfitValue(path, value, 'text');
}

export function bytesOf(value: unknown, path: string): Uint8Array {
  const bytes = bsonTypeOf(value) === 'Binary' ? (value as { buffer: unknown }).buffer : value;
  if (bytes instanceof Uint8Array) return bytes;
  throw unfitValue(path, value, 'bytes');
}

export function elementsOf(value: unknown, path: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw unfitValue(path, value, 'an array');
}

export function documentOf(value: unknown, path: string): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && !isScalarObject(value)) return value;
  throw unfitValue(path, value, 'a document');
}

function isScalarObject(value: object): boolean {
  return value instanceof Date || value instanceof Uint8Array || bsonTypeOf(value) !== undefined;
}

/** @returns reads a member; undefined where the object has none of its own, such as `toString` */
export function memberReader(name: string): (value: object) => unknown {
  if (!(name in Object.prototype)) return (value) => (value as Record<string, unknown>)[name];
  return (value) => (Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined);
}

/** Class of a value of BSON. A document may have a member of that name. */
export function bsonTypeOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Object.hasOwn(value, '_bsontype')) return undefined;
  return (value as { _bsontype?: string })._bsontype;
}

/** Decimals as Arrow has them: the unscaled integer in 128 bits, little endian. */
import type { Decimal } from 'apache-arrow';
import { unfitValue } from '../source-error.ts';
import { textOfDecimal } from './decimal128.ts';
import { withPoint } from './read-cells.ts';
import { bsonTypeOf } from './scalar-values.ts';

const form = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

/**
 * Writes the value at an index of `data`, four words each.
 * @param value text such as `-12.50`, a number of up to 15 digits, a bigint or
 *   big-endian bytes (the unscaled value), or an object with that text
 * @throws TopoBenchError `TB_SOURCE_VALUE` for more fraction digits than the scale, or more digits than the precision
 */
export function writeDecimal(data: Uint32Array, index: number, type: Decimal, value: unknown, path: string): void {
  const small = typeof value === 'string' ? smallUnscaled(value, type) : undefined;
  if (small === undefined) {
    writeWords(data, index, unscaledOf(value, type, path));
    return;
  }
  // Stores of a Uint32Array are modulo 2^32.
  data[4 * index] = small;
  data[4 * index + 1] = Math.floor(small / 2 ** 32);
  data[4 * index + 2] = data[4 * index + 3] = small < 0 ? -1 : 0;
}

/**
 * The value as text with all digits of its scale. @param value as of `writeDecimal`
 * @throws as `writeDecimal`
 */
export function decimalText(value: unknown, type: Decimal, path: string): string {
  const isPlain = typeof value === 'string' && smallUnscaled(value, type) !== undefined && !/^-?0\d/.test(value);
  return isPlain ? value : withPoint(unscaledOf(value, type, path), type.scale);
}

const maxSmallDigits = 15;

/** The common form `-12.50` with exactly `scale` fraction digits; undefined for all others. */
function smallUnscaled(text: string, { scale, precision }: Decimal): number | undefined {
  const isNegative = text.charCodeAt(0) === 45;
  const first = isNegative ? 1 : 0;
  const { length } = text;
  const digits = length - first - (scale > 0 ? 1 : 0);
  if (scale < 0 || digits < 1 || digits > maxSmallDigits || digits > precision) return undefined;
  const point = scale > 0 ? length - scale - 1 : length;
  if (point < first) return undefined;
  let unscaled = 0;
  for (let i = first; i < length; i++) {
    const code = text.charCodeAt(i);
    if (i === point) {
      if (code !== 46) return undefined;
      continue;
    }
    if (code < 48 || code > 57) return undefined;
    unscaled = unscaled * 10 + (code - 48);
  }
  return isNegative ? -unscaled : unscaled;
}

function unscaledOf(value: unknown, type: Decimal, path: string): bigint {
  const expected = `a decimal with ${type.precision} digits, ${type.scale} of them after the point`;
  const unscaled = readUnscaled(value, type.scale);
  if (unscaled === undefined) throw unfitValue(path, value, expected);
  const limit = 10n ** BigInt(type.precision);
  if (unscaled >= limit || unscaled <= -limit) throw unfitValue(path, value, expected);
  return unscaled;
}

function readUnscaled(value: unknown, scale: number): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return nearest(value, scale);
  if (value instanceof Uint8Array) return signedOf(value);
  const isNumeric = typeof value === 'string' || numericBson.includes(bsonTypeOf(value) ?? '');
  return isNumeric ? exactly(textOfDecimal(value), scale) : undefined;
}

const numericBson: readonly string[] = ['Decimal128', 'Double', 'Int32', 'Long'];

/** Two's complement, big endian: the form of Parquet. */
function signedOf(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return BigInt.asIntN(8 * bytes.length, value);
}

const maxDigits = 38;

/** Drivers compute decimals as binary numbers: the error of some multiplications is not a digit of the value. */
function nearest(value: number, scale: number): bigint | undefined {
  const scaled = value * 10 ** scale;
  const whole = Math.round(scaled);
  const isNear = Math.abs(scaled - whole) <= Math.max(1, Math.abs(scaled)) * 2 ** -50;
  return isNear && Math.abs(whole) < 10 ** maxSmallDigits ? BigInt(whole) : undefined;
}

/** @returns undefined for text that is not a number, or not a multiple of 10^-scale */
function exactly(text: string, scale: number): bigint | undefined {
  const [, sign, whole = '', fraction = '', exponent = '0'] = form.exec(text) ?? [];
  if (sign === undefined || whole + fraction === '') return undefined;
  const shift = Number(exponent) + scale - fraction.length;
  const digits = BigInt(whole + fraction);
  // Beyond the digits of the value and of any precision.
  if (digits === 0n || Math.abs(shift) > whole.length + fraction.length + maxDigits) {
    return digits === 0n ? 0n : undefined;
  }
  const factor = 10n ** BigInt(Math.abs(shift));
  if (shift < 0 && digits % factor !== 0n) return undefined;
  const size = shift < 0 ? digits / factor : digits * factor;
  return sign === '-' ? -size : size;
}

function writeWords(data: Uint32Array, index: number, unscaled: bigint): void {
  let rest = BigInt.asUintN(128, unscaled);
  for (let word = 0; word < 4; word++) {
    data[4 * index + word] = Number(rest & 0xffffffffn);
    rest >>= 32n;
  }
}

/**
 * Decimals of MongoDB: Decimal128 of IEEE 754 in binary encoding, with a sign, 14 bits of exponent and 113 of
 * coefficient, in four little-endian words. Needs no load of the driver.
 */
import { bsonTypeOf } from './scalar-values.ts';

const exponentBias = 6176;

/** @param high the last word */
function exponentOf(high: number): number {
  return ((high >>> 17) & 0x3fff) - exponentBias;
}

/**
 * Whether the first two words are the whole coefficient.
 * @param third @param high the last two words
 */
function hasSmallCoefficient(third: number, high: number): boolean {
  // Two ones after the sign announce another form, infinity or no number.
  return third === 0 && (high & 0x1ffff) === 0 && (high & 0x60000000) !== 0x60000000;
}

/** @param high the last word */
function isNegative(high: number): boolean {
  return high >>> 31 === 1;
}

/** The driver writes smaller exponents as `0E-7`. */
const minPlainExponent = -6;

/** @returns `String(value)`. The driver's own method divides 128 bits by parts, which takes ten times as long. */
export function textOfDecimal(value: unknown): string {
  return (isDecimal128(value) && plainText(value.bytes)) || String(value);
}

function isDecimal128(value: unknown): value is { bytes: Uint8Array } {
  return bsonTypeOf(value) === 'Decimal128' && (value as { bytes: unknown }).bytes instanceof Uint8Array;
}

/** Undefined for values that are large, not finite, or written with an exponent. */
function plainText(bytes: Uint8Array): string | undefined {
  const high = word(bytes, 12);
  const size = word(bytes, 0) + word(bytes, 4) * 2 ** 32;
  const exponent = exponentOf(high);
  const isPlain = hasSmallCoefficient(word(bytes, 8), high) && exponent <= 0 && exponent >= minPlainExponent;
  if (!isPlain || size > Number.MAX_SAFE_INTEGER) return undefined;
  const sign = isNegative(high) ? '-' : '';
  if (exponent === 0) return `${sign}${size}`;
  const digits = `${size}`.padStart(1 - exponent, '0');
  return `${sign}${digits.slice(0, exponent)}.${digits.slice(exponent)}`;
}

function word(bytes: Uint8Array, at: number): number {
  const [a, b, c, d] = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]] as [number, number, number, number];
  return (a | (b << 8) | (c << 16) | (d << 24)) >>> 0;
}

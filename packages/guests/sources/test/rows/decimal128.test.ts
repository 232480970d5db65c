/** Texts of BSON decimals, compared with those of the driver. */
import fc from 'fast-check';
import { Decimal128 } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { textOfDecimal } from '../../src/rows/decimal128.ts';

const decimals = fc.oneof(
  fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => new Decimal128(bytes)),
  fc
    .tuple(fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n }), fc.integer({ min: -9, max: 3 }))
    .map(([size, exponent]) => Decimal128.fromString(`${size}E${exponent}`)),
  fc
    .tuple(fc.boolean(), fc.integer({ min: 0, max: 12_000 }), fc.integer({ min: -7, max: 1 }))
    .map(([isNegative, size, exponent]) => Decimal128.fromString(`${isNegative ? '-' : ''}${size}E${exponent}`)),
);

describe('the text of a BSON decimal', () => {
  it('is that of the driver', () => {
    const check = (value: Decimal128): void => {
      expect(textOfDecimal(value)).toBe(value.toString());
    };
    fc.assert(fc.property(decimals, check), { numRuns: 2000 });
    for (const text of ['9007199254740991', '9007199254740992', '-0', '0.00', '-0.000001', 'NaN', '-Infinity'])
      check(Decimal128.fromString(text));
  });

  it('is not read from a document that claims to be one', () => {
    for (const value of [null, 1.5, 'text', { bytes: new Uint8Array(16) }, { _bsontype: 'Decimal128', bytes: [0] }])
      expect(textOfDecimal(value)).toBe(String(value));
  });
});

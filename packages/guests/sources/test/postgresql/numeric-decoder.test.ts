/** Decimals in the bytes of `numeric_send`, as a server would send them and as none should. */
import { Decimal } from 'apache-arrow';
import { expect, it } from 'vitest';
import { NumericDecoder } from '../../src/postgresql/columns/numeric-decoder.ts';
import { viewOf } from '../../src/postgresql/columns/tuple-decoder.ts';

/** @param digits to base 10 000, the first with the given weight */
function numeric(weight: number, digits: readonly number[], negative = false): Buffer {
  const bytes = Buffer.alloc(8 + 2 * digits.length);
  bytes.writeUInt16BE(digits.length, 0);
  bytes.writeInt16BE(weight, 2);
  bytes.writeUInt16BE(negative ? 0x4000 : 0, 4);
  for (const [i, digit] of digits.entries()) bytes.writeUInt16BE(digit, 8 + 2 * i);
  return bytes;
}

const wordsOf = (value: bigint): number[] =>
  [0n, 32n, 64n, 96n].map((by) => Number((BigInt.asUintN(128, value) >> by) & 0xffffffffn));

function decode(precision: number, scale: number, bytes: Buffer): number[] {
  const decoder = new NumericDecoder(new Decimal(scale, precision, 128), 'price', 1);
  decoder.decode({ bytes, view: viewOf(bytes) }, 0, bytes.length, 0);
  return [...(decoder.finish(1).values as Uint32Array).subarray(0, 4)];
}

it('a decimal of exactly the digits of its column is read', () => {
  expect(decode(7, 2, numeric(1, [9, 9999, 9900]))).toEqual(wordsOf(9_999_999n));
  expect(decode(9, 2, numeric(1, [999, 9999, 9900]))).toEqual(wordsOf(999_999_999n));
  expect(decode(13, 6, numeric(1, [999, 9999, 9999, 9900]))).toEqual(wordsOf(9_999_999_999_999n));
  expect(decode(7, 2, numeric(1, [9, 9999, 9900], true))).toEqual(wordsOf(-9_999_999n));
});

it.each([
  ['few digits', 7, 2, [10, 0], 1],
  ['few digits, negative', 7, 2, [10, 0], 1, true],
  ['many digits', 13, 6, [1000, 0, 0, 100], 1],
  ['a high weight', 7, 2, [1], 9],
])(
  'a decimal of %s is refused beyond the precision of its column',
  (_, precision, scale, digits, weight, negative = false) => {
    expect(() => decode(precision, scale, numeric(weight, digits, negative))).toThrow(
      expect.objectContaining({
        code: 'TB_SOURCE_VALUE',
        message: expect.stringContaining(`a decimal of ${precision} digits`),
      }),
    );
  },
);

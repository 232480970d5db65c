import { Decimal } from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeDecimal } from '../../src/rows/decimal-values.ts';

function written(value: unknown, precision: number, scale: number): bigint {
  const data = new Uint32Array(4);
  writeDecimal(data, 0, new Decimal(scale, precision, 128), value, 'price');
  return BigInt.asIntN(
    128,
    data.reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n),
  );
}
const unfit = expect.objectContaining({ code: 'TB_SOURCE_VALUE' });

describe('a decimal', () => {
  it('is written as its digits, whatever its form', () => {
    const digits = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n });
    fc.assert(
      fc.property(digits, fc.integer({ min: 1, max: 6 }), (unscaled, scale) => {
        const text = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
        const point = `${unscaled < 0n ? '-' : ''}${text.slice(0, -scale)}.${text.slice(-scale)}`;
        for (const form of [point, `${point}00`, `${unscaled}e-${scale}`, unscaled]) {
          expect(written(form, 38, scale)).toBe(unscaled);
        }
      }),
    );
  });

  it.each([
    ['100.00', 4, 2],
    ['-100.00', 4, 2],
    ['123456789012345678', 17, 0],
    [10_000n, 4, 2],
    ['1e4', 4, 0],
  ])('%s is refused with %d digits, %d of them after the point', (value, precision, scale) => {
    expect(() => written(value, precision, scale)).toThrow(unfit);
  });

  it.each(['1.005', '12e-3', '.001', '', '-', 'NaN'])('%s is refused with two digits after the point', (value) => {
    expect(() => written(value, 10, 2)).toThrow(unfit);
  });
});

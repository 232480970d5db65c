import { Decimal, Float64 } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { encoderOf } from '../../src/schema/json-value.ts';

describe('a value as JSON', () => {
  it('keeps the sign of a zero below 0', () => {
    const text = encoderOf(new Float64(), 'a')(-0);
    expect(Object.is(JSON.parse(text), -0), text).toBe(true);
  });

  it.each(['NaN', 'Infinity', '-Infinity'])('is refused for the decimal %s, short or long', (value) => {
    for (const precision of [7, 30]) {
      expect(() => encoderOf(new Decimal(2, precision, 128), 'price')(value)).toThrow(
        expect.objectContaining({
          code: 'TB_SOURCE_VALUE',
          message: `column price: got ${value}, expected a number that JSON has`,
        }),
      );
    }
  });

  it('has the digits of a decimal as number or as text', () => {
    expect(encoderOf(new Decimal(2, 7, 128), 'price')('-12.50')).toBe('-12.50');
    expect(encoderOf(new Decimal(2, 30, 128), 'price')(-1250n)).toBe('"-12.50"');
  });
});

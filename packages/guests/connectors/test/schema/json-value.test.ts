import { Decimal, Field, Float32, Float64, List } from 'apache-arrow';
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
          message: `column price: got "${value}", expected a decimal with ${precision} digits, 2 of them after the point`,
        }),
      );
    }
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('is refused for the float %s', (value) => {
    const refusal = (path: string) =>
      expect.objectContaining({
        code: 'TB_SOURCE_VALUE',
        message: `column ${path}: got ${value}, expected a number that JSON has`,
      });
    for (const type of [new Float32(), new Float64()]) {
      expect(() => encoderOf(type, 'ratio')(value)).toThrow(refusal('ratio'));
    }
    const list = new List(new Field('item', new Float64(), true));
    expect(() => encoderOf(list, 'ratios')([1, value])).toThrow(refusal('ratios[]'));
  });

  it('has the digits of a decimal as number or as text', () => {
    expect(encoderOf(new Decimal(2, 7, 128), 'price')('-12.50')).toBe('-12.50');
    expect(encoderOf(new Decimal(2, 30, 128), 'price')(-1250n)).toBe('"-12.50"');
  });
});

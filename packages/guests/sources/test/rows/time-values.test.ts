import { describe, expect, it } from 'vitest';
import { daysOf, microsOf, microsOfDay } from '../../src/rows/time-values.ts';

const unfit = expect.objectContaining({ code: 'TB_SOURCE_VALUE' });

describe('a date', () => {
  it.each(['1970-01-01', '1969-12-31', '2024-02-29', '0099-12-31', '12345-01-01'])('%s has its days', (text) => {
    const iso = text.length > 10 ? `+0${text}` : text;
    expect(daysOf(text, 'day')).toBe(Date.parse(iso) / 86_400_000);
  });

  it('before Christ counts without a year 0', () => {
    expect(daysOf('0001-12-31 BC', 'day')).toBe(Date.parse('0000-12-31') / 86_400_000);
  });

  it.each(['2026-13-01', '2026-00-10', '2026-02-29', '2026-04-31', '2026-01-00', '5881580-07-12', 'infinity'])(
    '%s is refused',
    (text) => {
      expect(() => daysOf(text, 'day')).toThrow(unfit);
      expect(() => microsOf(`${text} 00:00:00`, undefined, 'time')).toThrow(unfit);
    },
  );
});

describe('a timestamp', () => {
  it.each([
    ['2026-03-01 12:00:00+00', '2026-03-01T12:00:00Z'],
    ['2026-03-01T12:00:00.5+05:30', '2026-03-01T12:00:00.500+05:30'],
    ['1969-12-31 23:59:59.999-1100', '1969-12-31T23:59:59.999-11:00'],
  ])('%s is the same time as %s', (text, iso) => {
    expect(microsOf(text, 'UTC', 'time')).toBe(BigInt(Date.parse(iso)) * 1000n);
  });

  it('in milliseconds that have no microseconds of 64 bits is refused, and the last of them is not', () => {
    expect(microsOf(new Date(8.64e15), 'UTC', 'at')).toBe(8_640_000_000_000_000_000n);
    const max = 2n ** 63n - 1n;
    expect([max, -max - 1n].map((micros) => microsOf(micros, 'UTC', 'at'))).toEqual([max, -max - 1n]);
    // Java's "never", as the readers of Parquet and BSON yield it.
    for (const never of [max * 1000n, -max * 1000n, new Date(Number(max)), '294277-01-01 00:00:00'])
      expect(() => microsOf(never, 'UTC', 'at')).toThrow(unfit);
  });

  it('has microseconds on both sides of 1970', () => {
    expect(microsOf('1970-01-01 00:00:00.000001', undefined, 'time')).toBe(1n);
    expect(microsOf('1969-12-31 23:59:59.999999', undefined, 'time')).toBe(-1n);
    expect(microsOfDay('01:02:03.4', 'time')).toBe(3_723_400_000n);
  });
});

describe('a time of day', () => {
  it.each(['24:00:00', 86_400_000_000n, -1n, '12:60:00'])('is not %s', (value) => {
    expect(() => microsOfDay(value, 'at')).toThrow(unfit);
  });
});

import { FlightError } from '@topo-bench/arrow-flight';
import { describe, expect, it } from 'vitest';
import { readBytes, readDate, readDecimal, readFloat, readTime, readTimestamp } from '../../src/sql/read-values.ts';

describe('values as PostgreSQL prints them', () => {
  it('are read as the same times as the ISO texts', () => {
    for (const [text, iso] of [
      ['2026-03-01 12:00:00+00', '2026-03-01T12:00:00Z'],
      ['2026-03-01 12:00:00.5+05:30', '2026-03-01T12:00:00.500+05:30'],
      ['1969-12-31 23:59:59.999-11', '1969-12-31T23:59:59.999-11:00'],
      ['0001-01-01 00:00:00', '0001-01-01T00:00:00Z'],
      ['10000-01-01 00:00:00', '+010000-01-01T00:00:00Z'],
      ['0044-03-15 12:00:00 BC', '-000043-03-15T12:00:00Z'],
    ] as const) {
      expect([text, readTimestamp(text)]).toEqual([text, BigInt(Date.parse(iso)) * 1000n]);
    }
    expect(readTimestamp('294247-01-10 04:00:54.775807')).toBe(2n ** 63n - 1n);
    expect(readDate('5874897-12-31')).toBe(2_145_031_948 + 10_957);
    expect(readTimestamp('1970-01-01 00:00:00.000001')).toBe(1n);
    expect(readTimestamp('1969-12-31 23:59:59.999999')).toBe(-1n);
    expect(readTimestamp('1900-01-01 00:00:00+00:19:32')).toBe(
      BigInt(Date.parse('1900-01-01T00:00:00Z')) * 1000n - 1_172_000_000n,
    );
  });

  it('are read as days, times of day, numbers and bytes', () => {
    expect(['1970-01-01', '1969-12-31', '2000-02-29', '0001-12-31 BC'].map(readDate)).toEqual([
      0, -1, 11_016, -719_163,
    ]);
    expect(['00:00:00', '23:59:59.999999', '01:02:03.4'].map(readTime)).toEqual([0n, 86_399_999_999n, 3_723_400_000n]);
    expect(['1', '-0.05', '0.5', '123.45'].map((text) => readDecimal(text, 2))).toEqual([100n, -5n, 50n, 12_345n]);
    expect(['NaN', 'Infinity', '1e-5'].map(readFloat)).toEqual([Number.NaN, Infinity, 1e-5]);
    expect([...readBytes('\\x00ff')]).toEqual([0, 255]);
  });

  it('are refused when Arrow has no such value', () => {
    const refused = [
      () => readDate('infinity'),
      () => readDate('2026-13-01'),
      () => readDate('2026-00-10'),
      () => readDate('2026-02-29'),
      () => readDate('5881580-07-12'),
      () => readTimestamp('-infinity'),
      () => readTimestamp('03/01/2026 12:00'),
      () => readTimestamp('294277-01-10 00:00:00'),
      () => readTime('24:00:00'),
      () => readDecimal('NaN', 2),
      () => readDecimal('1.234', 2),
      () => readTime('12:00:00+02'),
      () => readFloat('x'),
      () => readBytes('\\\\000'),
    ];
    for (const read of refused) expect(read, String(read)).toThrow(FlightError);
  });
});

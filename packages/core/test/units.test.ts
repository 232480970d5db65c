import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatBytes, formatUs, parseDurationUs, parseSizeBytes } from '../src/units.ts';

describe('a duration', () => {
  it.each([
    ['100us', 100],
    ['100\u00b5s', 100],
    ['100\u03bcs', 100],
    ['40ms', 40_000],
    ['2s', 2_000_000],
    ['1.5m', 90_000_000],
    ['2min', 120_000_000],
    ['1h', 3_600_000_000],
    [' 10 ms ', 10_000],
    ['0s', 0],
  ])('%s is %d µs', (text, us) => {
    expect(parseDurationUs(text)).toBe(us);
  });

  it.each([
    '10',
    '',
    'ms',
    '-1ms',
    '1e3ms',
    '10 parsecs',
    '1,5s',
    '10MS',
    '1.ms',
    'NaNs',
    'constructorms',
    '1constructor',
  ])('%j is refused with the units that there are', (text) => {
    expect(() => parseDurationUs(text)).toThrow(
      expect.objectContaining({
        code: 'TB_UNIT_INVALID',
        message: expect.stringContaining(JSON.stringify(text)),
        hint: expect.stringContaining('ms'),
      }),
    );
  });
});

describe('a size', () => {
  it.each([
    ['512B', 512],
    ['2KB', 2000],
    ['64KiB', 65_536],
    ['1.5MiB', 1_572_864],
    ['2MB', 2_000_000],
    ['1GiB', 1_073_741_824],
    ['0.3B', 0],
  ])('%s is %d bytes, a whole number', (text, bytes) => {
    expect(parseSizeBytes(text)).toBe(bytes);
  });

  it.each(['64', '64kb', '10ms', '-1B'])('%j is refused', (text) => {
    expect(() => parseSizeBytes(text)).toThrow(expect.objectContaining({ code: 'TB_UNIT_INVALID' }));
  });
});

describe('figures as people read them', () => {
  it.each([
    [0, '0 µs'],
    [0.25, '0.25 µs'],
    [999, '999 µs'],
    [1234, '1.23 ms'],
    [999_000, '999 ms'],
    [61_000_000, '61 s'],
    [1_234_000_000, '1234 s'],
    [Number.POSITIVE_INFINITY, '∞'],
    [Number.NaN, '–'],
  ])('%d µs reads %s', (us, text) => {
    expect(formatUs(us)).toBe(text);
  });

  it('values that never finished read as the caller requires', () => {
    expect(formatUs(Number.POSITIVE_INFINITY, '> 60 s')).toBe('> 60 s');
  });

  it.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1536, '1.5 KiB'],
    [5 * 1024 ** 3, '5 GiB'],
    [Number.NaN, '–'],
  ])('%d bytes read %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });

  it('are within half a percent of the figure', () => {
    fc.assert(
      fc.property(fc.double({ min: 1, max: 9.9e8, noNaN: true }), (us) => {
        const [figure, unit] = formatUs(us).split(' ');
        expect(Math.abs(parseDurationUs(`${figure}${unit}`) / us - 1)).toBeLessThanOrEqual(0.005);
      }),
    );
  });
});

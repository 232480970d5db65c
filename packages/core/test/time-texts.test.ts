import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clockText, dateText, daysOfText, microsOfClock, microsOfText, timestampText } from '../src/index.ts';

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

describe('texts of dates and times', () => {
  it('have every microsecond of 64 bits and every day of 32', () => {
    fc.assert(
      fc.property(int64, (micros) => {
        expect(microsOfText(timestampText(micros, 'Z'))).toBe(micros);
        expect(microsOfText(timestampText(micros, '').replace('T', ' '))).toBe(micros);
      }),
    );
    fc.assert(
      fc.property(fc.integer(), (days) => {
        expect(daysOfText(dateText(days))).toBe(days);
      }),
    );
    expect(timestampText(2n ** 63n - 1n, 'Z')).toBe('294247-01-10T04:00:54.775807Z');
    expect(timestampText(-(2n ** 63n), '')).toBe('290309-12-21T19:59:05.224192 BC');
  });

  it('are those of Date, with the zeros at the end left out', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        (date) => {
          const text = date.toISOString().replace(/\.?0*Z$/, 'Z');
          expect(timestampText(BigInt(date.getTime()) * 1000n, 'Z')).toBe(text);
        },
      ),
    );
  });

  it.each(['24:00:00', '23:60:00', '23:59:60', '1:00:00', '12:00', '12:00:00.1234567', ''])(
    '%j is no time of day',
    (text) => {
      expect(microsOfClock(text)).toBeUndefined();
      expect(microsOfText(`2024-02-29 ${text}`)).toBeUndefined();
    },
  );

  it.each(['+05:30', '-08:00', '-00:30', '+14:00'])('have an offset of %s from UTC, as Date does', (offset) => {
    const text = `2024-02-29T12:34:56.5${offset}`;
    expect(microsOfText(text)).toBe(BigInt(Date.parse(text)) * 1000n);
  });

  it('have the last microsecond of a day', () => {
    expect(microsOfClock('23:59:59.999999')).toBe(86_399_999_999n);
    expect(clockText(86_399_999_999n)).toBe('23:59:59.999999');
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateOfDays, daysOfDate, eraDate, isoDate } from '../src/index.ts';

const maxDateDays = 8.64e15 / 86_400_000;

/** Counts days by the rule of leap years alone. */
function countedDays(year: number): number {
  const before = year - 1;
  const leap = Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400);
  return 365 * before + leap - 719_162;
}

describe('days of the calendar', () => {
  it('have the dates that Date has, as far as it reaches', () => {
    const days = fc.oneof(fc.integer({ min: -maxDateDays, max: maxDateDays }), fc.integer({ min: -800_000, max: 0 }));
    fc.assert(
      fc.property(days, (day) => {
        expect(isoDate(day)).toBe(new Date(day * 86_400_000).toISOString().split('T')[0]);
        expect(daysOfDate(dateOfDays(day))).toBe(day);
      }),
    );
  });

  it('beyond it are counted by leap years, to the ends of 32 bits', () => {
    const years = fc.oneof(
      fc.integer({ min: 275_761, max: 5_881_579 }),
      fc.integer({ min: -5_877_640, max: -271_822 }),
    );
    fc.assert(
      fc.property(years, (year) => {
        expect(daysOfDate({ year, month: 1, day: 1 })).toBe(countedDays(year));
        expect(dateOfDays(countedDays(year))).toEqual({ year, month: 1, day: 1 });
        expect(dateOfDays(countedDays(year) - 1)).toEqual({ year: year - 1, month: 12, day: 31 });
      }),
    );
    expect([2 ** 31 - 1, -(2 ** 31)].map(isoDate)).toEqual(['+5881580-07-11', '-5877641-06-23']);
  });

  it('have an era before the year 1, or a sign', () => {
    expect(eraDate(-719_163)).toEqual({ text: '0001-12-31', era: ' BC' });
    expect(eraDate(-719_162)).toEqual({ text: '0001-01-01', era: '' });
    expect(isoDate(-719_163 - 366)).toBe('-000001-12-31');
  });

  it.each([
    [2026, 13, 1],
    [2026, 0, 10],
    [2026, 2, 29],
    [300_000, 4, 31],
    [1900, 2, 29],
  ])('do not exist for year %i, month %i, day %i', (year, month, day) => {
    expect(daysOfDate({ year, month, day })).toBeUndefined();
  });
});

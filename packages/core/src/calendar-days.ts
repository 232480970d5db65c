/**
 * Days of the Gregorian calendar as dates, for all days that Arrow and PostgreSQL have: `Date` ends with the year
 * 275760. The calendar repeats every 400 years.
 */

const dayMs = 86_400_000;
const cycleYears = 400;
const cycleDays = 146_097;

export interface CalendarDate {
  /** Year 0 is 1 BC. */
  year: number;
  /** From 1 on. */
  month: number;
  day: number;
}

/** @param days since 1970-01-01, a whole number */
export function dateOfDays(days: number): CalendarDate {
  const cycles = Math.floor(days / cycleDays);
  const date = new Date((days - cycles * cycleDays) * dayMs);
  const year = date.getUTCFullYear() + cycles * cycleYears;
  return { year, month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** @returns days since 1970-01-01; undefined for a month or day that does not exist */
export function daysOfDate({ year, month, day }: CalendarDate): number | undefined {
  const cycles = Math.floor(year / cycleYears);
  const date = new Date(0);
  // `Date.UTC` would read years below 100 as 19xx.
  date.setUTCFullYear(year - cycles * cycleYears, month - 1, day);
  // A month or day that does not exist is one of the following month.
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? date.getTime() / dayMs + cycles * cycleDays : undefined;
}

/** `2024-02-29`, with the era of years before 1: `0044-03-15` and ` BC`, as PostgreSQL and Airbyte have them. */
export function eraDate(days: number): { text: string; era: '' | ' BC' } {
  const { year, month, day } = dateOfDays(days);
  const shown = year > 0 ? year : 1 - year;
  return { text: `${padded(shown, 4)}-${padded(month, 2)}-${padded(day, 2)}`, era: year > 0 ? '' : ' BC' };
}

/** ISO 8601, with sign and at least six digits for years outside 0 to 9999: `-000043-03-15`. */
export function isoDate(days: number): string {
  const { year, month, day } = dateOfDays(days);
  const isPlain = year >= 0 && year <= 9999;
  const shown = isPlain ? padded(year, 4) : `${year < 0 ? '-' : '+'}${padded(Math.abs(year), 6)}`;
  return `${shown}-${padded(month, 2)}-${padded(day, 2)}`;
}

function padded(number: number, digits: number): string {
  return String(number).padStart(digits, '0');
}

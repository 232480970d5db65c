/**
 * Dates and times as texts of ISO 8601 and PostgreSQL. `Date` has neither microseconds, nor the year 275761, nor
 * PostgreSQL's form of years before 1.
 */
import { daysOfDate, eraDate } from './calendar-days.ts';

const dayMicros = 86_400_000_000n;
const dateForm = /^(\d{4,7})-(\d\d)-(\d\d)( BC)?$/;
const timestampForm = /^(\d{4,7}-\d\d-\d\d)[ T]([\d:.]+)(Z|[+-]\d\d(?::?\d\d(?::?\d\d)?)?)?( BC)?$/;
const clockForm = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,6}))?$/;

/** @returns days since 1970-01-01; undefined for other text and for days that do not exist */
export function daysOfText(text: string): number | undefined {
  const [, years, month, day, before] = dateForm.exec(text) ?? [];
  if (years === undefined) return undefined;
  const year = before ? 1 - Number(years) : Number(years);
  return daysOfDate({ year, month: Number(month), day: Number(day) });
}

/** @returns microseconds since 1970-01-01, UTC where the text has no offset; undefined for other text */
export function microsOfText(text: string): bigint | undefined {
  const [, date, clock = '', offset, before = ''] = timestampForm.exec(text) ?? [];
  const days = date === undefined ? undefined : daysOfText(`${date}${before}`);
  const ofDay = microsOfClock(clock);
  if (days === undefined || ofDay === undefined) return undefined;
  return BigInt(days) * dayMicros + ofDay - BigInt(offsetSeconds(offset)) * 1_000_000n;
}

/** @returns microseconds since midnight; undefined for other text, such as `24:00:00` */
export function microsOfClock(text: string): bigint | undefined {
  const [, hours, minutes, seconds, fraction = ''] = clockForm.exec(text) ?? [];
  if (hours === undefined) return undefined;
  return BigInt(secondsOf(hours, minutes, seconds)) * 1_000_000n + BigInt(fraction.padEnd(6, '0'));
}

/** `2024-02-29` or `0044-03-15 BC`. @param days since 1970-01-01 */
export function dateText(days: number): string {
  const { text, era } = eraDate(days);
  return text + era;
}

/** `2024-02-29T12:34:56.5Z` or `0044-03-15T12:00:00Z BC`. @param micros since 1970-01-01 @param zone of the text */
export function timestampText(micros: bigint, zone: '' | 'Z'): string {
  const ofDay = ((micros % dayMicros) + dayMicros) % dayMicros;
  const { text, era } = eraDate(Number((micros - ofDay) / dayMicros));
  return `${text}T${clockText(ofDay)}${zone}${era}`;
}

/** `12:34:56` or `12:34:56.5`. @param micros since midnight */
export function clockText(micros: bigint): string {
  const seconds = Number(micros / 1_000_000n);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const clock = parts.map((part) => String(part).padStart(2, '0')).join(':');
  return clock + fractionText(micros % 1_000_000n, 6);
}

/** `.5`, or nothing for 0. @param digits of the unit: 6 for microseconds */
export function fractionText(fraction: bigint, digits: number): string {
  return fraction === 0n ? '' : `.${String(fraction).padStart(digits, '0').replace(/0+$/, '')}`;
}

function secondsOf(hours = '0', minutes = '0', seconds = '0'): number {
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

function offsetSeconds(offset: string | undefined): number {
  if (offset === undefined || offset === 'Z') return 0;
  return (offset[0] === '-' ? -1 : 1) * secondsOf(...(offset.match(/\d\d/g) ?? []));
}

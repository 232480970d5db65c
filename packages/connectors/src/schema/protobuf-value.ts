/** Values of a driver as the value messages of Airbyte's protobuf records: one field by type, numbered as there. */
import { TopoBenchError } from '@topo-bench/core';
import { type DataType, type Timestamp, Type } from 'apache-arrow';
import { encoderOf } from './json-value.ts';
import { valueFields as fields } from './protobuf-fields.ts';
import type { ProtobufWriter } from './protobuf-writer.ts';
import { dateText, timestampText, timeText } from './value-text.ts';

const msPerDay = 86_400_000;
const secondsPerDay = 86_400;
/** The calendar repeats itself after 400 years. */
const [cycleYears, cycleDays] = [400, 146_097];
const nanosPerSecond = 1e9;
/** Twice of it, and one less, are exact as numbers. */
const maxExact = 2 ** 52;
const max64 = 2n ** 63n;

/** Writes the fields of one value message. */
export type ProtobufEncoder = (writer: ProtobufWriter, value: unknown) => void;

/** @param path name of the column, for messages */
export function protobufEncoderOf(type: DataType, path: string): ProtobufEncoder {
  const encode = valueEncoderOf(type, path);
  return (writer, value) => {
    if (value === null || value === undefined) writer.uint(fields.isNull, 1);
    else encode(writer, value);
  };
}

function valueEncoderOf(type: DataType, path: string): ProtobufEncoder {
  const json = encoderOf(type, path);
  const unquoted = (value: unknown): string => {
    const text = json(value);
    return text.startsWith('"') ? text.slice(1, -1) : text;
  };
  switch (type.typeId) {
    case Type.Bool:
      return (writer, value) => writer.uint(fields.boolean, value ? 1 : 0);
    case Type.Int:
      return (writer, value) => {
        // Drivers have numbers, bigints, and text for 64 bits.
        const number = Number(value);
        if (Number.isInteger(number) && Math.abs(number) <= maxExact) writer.sint(fields.integer, number);
        else writeLarge(writer, BigInt(`${value}`));
      };
    case Type.Float:
      // Unlike JSON, a double has NaN and the infinities.
      return (writer, value) => writer.double(fields.number, Number(value));
    case Type.Decimal:
      return (writer, value) => writer.text(fields.bigDecimal, unquoted(value));
    case Type.Binary:
      return (writer, value) => writer.text(fields.string, unquoted(value));
    case Type.Date:
      return (writer, value) => writer.sint(fields.date, daysOf(dateText(value), path));
    case Type.Time:
      return (writer, value) => writer.uint(fields.time, nanosOf(timeText(value), path));
    case Type.Timestamp: {
      const isZoned = Boolean((type as Timestamp).timezone);
      return (writer, value) => writeTimestamp(writer, timestampText(value, isZoned), isZoned, path);
    }
    case Type.List:
    case Type.Struct:
      return (writer, value) => writer.text(fields.json, json(value));
    default:
      return (writer, value) => writer.text(fields.string, typeof value === 'string' ? value : unquoted(value));
  }
}

function writeLarge(writer: ProtobufWriter, whole: bigint): void {
  if (whole >= -max64 && whole < max64) writer.sint(fields.integer, whole);
  else writer.text(fields.bigInteger, `${whole}`);
}

/** The offset is that of UTC: 0, which is not written. */
function writeTimestamp(writer: ProtobufWriter, text: string, isZoned: boolean, path: string): void {
  const [, day = '', clock = '', era = ''] = /^([^T]+)T([\d:.]+)Z?( BC)?$/.exec(text) ?? [];
  const days = daysOf(`${day}${era}`, path);
  const nanos = nanosOf(clock, path);
  writer.message(isZoned ? fields.timestampWithZone : fields.timestamp, () => {
    writer.sint(1, isZoned ? days * secondsPerDay + Math.floor(nanos / nanosPerSecond) : days);
    writer.uint(2, isZoned ? nanos % nanosPerSecond : nanos);
  });
}

/** Days since 1970. The year before 1 is 1 BC. */
function daysOf(text: string, path: string): number {
  const [, year, month, day, era] = /^(\d{4,})-(\d\d)-(\d\d)( BC)?$/.exec(text) ?? [];
  if (year === undefined) throw unfit(path, text, 'a date');
  const date = new Date(0);
  const full = era === undefined ? Number(year) : 1 - Number(year);
  // Years of stores exceed those of Date.
  const cycles = Math.floor(full / cycleYears);
  date.setUTCFullYear(full - cycles * cycleYears, Number(month) - 1, Number(day));
  return date.getTime() / msPerDay + cycles * cycleDays;
}

/** At most 8.64e13: exact. */
function nanosOf(text: string, path: string): number {
  const [, hours, minutes, seconds, fraction = ''] = /^(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  if (hours === undefined) throw unfit(path, text, 'a time');
  const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return whole * nanosPerSecond + Number(fraction.padEnd(9, '0'));
}

function unfit(path: string, value: string, expected: string): TopoBenchError {
  return new TopoBenchError('TB_SOURCE_VALUE', `column ${path}: got ${value}, expected ${expected}`, {
    hint: 'read it through a query that casts it to text',
  });
}

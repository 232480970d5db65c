/** Values of a driver as the value messages of Airbyte's protobuf records: one field by type, numbered as there. */
import { TopoBenchError } from '@topo-bench/core';
import { type DataType, type Timestamp, Type } from 'apache-arrow';
import { encoderOf } from './json-value.ts';
import { valueFields as fields } from './protobuf-fields.ts';
import type { ProtobufWriter } from './protobuf-writer.ts';
import { dateText, timestampText, timeText } from './value-text.ts';

const msPerDay = 86_400_000;
/** The calendar repeats itself after 400 years. */
const [cycleYears, cycleDays] = [400, 146_097];
const max64 = 2n ** 63n;

/** Writes the fields of one value message. */
export type ProtobufEncoder = (writer: ProtobufWriter, value: unknown) => void;

/** @param path name of the column, for messages */
export function protobufEncoderOf(type: DataType, path: string): ProtobufEncoder {
  const encode = valueEncoderOf(type, path);
  return (writer, value) => {
    if (value === null || value === undefined) writer.uint(fields.isNull, 1n);
    else encode(writer, value);
  };
}

function valueEncoderOf(type: DataType, path: string): ProtobufEncoder {
  const json = encoderOf(type, path);
  const unquoted = (value: unknown): string => json(value).replace(/^"|"$/g, '');
  switch (type.typeId) {
    case Type.Bool:
      return (writer, value) => writer.uint(fields.boolean, value ? 1n : 0n);
    case Type.Int:
      return (writer, value) => {
        const whole = BigInt(`${value}`);
        if (whole >= -max64 && whole < max64) writer.sint(fields.integer, whole);
        else writer.text(fields.bigInteger, `${whole}`);
      };
    case Type.Float:
      // Unlike JSON, a double has NaN and the infinities.
      return (writer, value) => writer.double(fields.number, Number(value));
    case Type.Decimal:
      return (writer, value) => writer.text(fields.bigDecimal, unquoted(value));
    case Type.Binary:
      return (writer, value) => writer.text(fields.string, unquoted(value));
    case Type.Date:
      return (writer, value) => writer.sint(fields.date, BigInt(daysOf(dateText(value), path)));
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
      return (writer, value) => writer.text(fields.string, JSON.parse(json(value)) as string);
  }
}

/** The offset is that of UTC: 0, which is not written. */
function writeTimestamp(writer: ProtobufWriter, text: string, isZoned: boolean, path: string): void {
  const [, day = '', clock = '', era = ''] = /^([^T]+)T([\d:.]+)Z?( BC)?$/.exec(text) ?? [];
  const days = daysOf(`${day}${era}`, path);
  const nanos = nanosOf(clock, path);
  writer.message(isZoned ? fields.timestampWithZone : fields.timestamp, () => {
    writer.sint(1, isZoned ? BigInt(days) * 86_400n + nanos / 1_000_000_000n : BigInt(days));
    writer.uint(2, isZoned ? nanos % 1_000_000_000n : nanos);
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

function nanosOf(text: string, path: string): bigint {
  const [, hours, minutes, seconds, fraction = ''] = /^(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  if (hours === undefined) throw unfit(path, text, 'a time');
  const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return BigInt(whole) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'));
}

function unfit(path: string, value: string, expected: string): TopoBenchError {
  return new TopoBenchError('TB_SOURCE_VALUE', `column ${path}: got ${value}, expected ${expected}`, {
    hint: 'read it through a query that casts it to text',
  });
}

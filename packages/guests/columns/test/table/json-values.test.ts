/** Values of columns as JSON keep every digit. */
import {
  type DataType,
  DateDay,
  DateMillisecond,
  Decimal,
  makeData,
  TimeMicrosecond,
  TimeSecond,
  TimestampMicrosecond,
  TimestampMillisecond,
  TimestampNanosecond,
  TimestampSecond,
} from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { valueReader } from '../../src/table/json-values.ts';

const read = (type: DataType, data: unknown): unknown => valueReader(makeData({ type, length: 1, data } as never))(0);
const one = (value: bigint): BigInt64Array => BigInt64Array.of(value);

describe('a value of a column as JSON', () => {
  it.each<[string, DataType, unknown, string]>([
    ['seconds', new TimestampSecond('UTC'), one(0n), '1970-01-01T00:00:00.000Z'],
    ['milliseconds', new TimestampMillisecond('UTC'), one(-1n), '1969-12-31T23:59:59.999Z'],
    ['microseconds', new TimestampMicrosecond('UTC'), one(1n), '1970-01-01T00:00:00.000001Z'],
    ['microseconds before 1970', new TimestampMicrosecond('UTC'), one(-1n), '1969-12-31T23:59:59.999999Z'],
    ['nanoseconds', new TimestampNanosecond('UTC'), one(1_500_000_001n), '1970-01-01T00:00:01.500000001Z'],
    ['milliseconds after those of Date', new TimestampMillisecond(), one(2n ** 53n), '+287396-10-12T08:59:00.992Z'],
    ['a day', new DateDay(), Int32Array.of(-1), '1969-12-31'],
    ['a day of a year with five digits', new DateDay(), Int32Array.of(2_932_897), '+010000-01-01'],
    ['a day before Christ', new DateDay(), Int32Array.of(-735_160), '-000043-03-15'],
    ['a day after those of Date', new DateDay(), Int32Array.of(2 ** 31 - 1), '+5881580-07-11'],
    ['a day in milliseconds', new DateMillisecond(), one(-1n), '1969-12-31'],
    ['a time', new TimeMicrosecond(), one(86_399_999_999n), '23:59:59.999999'],
    ['a time in seconds', new TimeSecond(), Int32Array.of(3723), '01:02:03.000'],
    ['a decimal', new Decimal(2, 7, 128), Uint32Array.of(1250, 0, 0, 0), '12.50'],
    ['a negative decimal', new Decimal(3, 7, 128), Uint32Array.of(-5, -1, -1, -1), '-0.005'],
    ['a decimal of hundreds', new Decimal(-2, 7, 128), Uint32Array.of(5, 0, 0, 0), '500'],
    ['a decimal of 256 bits', new Decimal(1, 76, 256), Uint32Array.of(0, 0, 0, 0, 1, 0, 0, 0), `${2n ** 128n / 10n}.6`],
  ])('is right for %s', (_, type, data, text) => {
    expect(read(type, data)).toBe(text);
  });
});

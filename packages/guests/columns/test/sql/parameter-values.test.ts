/** Bound parameters as the text that PostgreSQL reads. */
import {
  type DataType,
  DateDay,
  DateMillisecond,
  Decimal,
  Field,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  TimeNanosecond,
  TimestampMillisecond,
  TimestampNanosecond,
} from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { readParameters } from '../../src/sql/parameter-values.ts';

async function text(type: DataType, values: unknown): Promise<string | null | undefined> {
  const schema = new Schema([new Field('1', type, true)]);
  const child = makeData({ type, length: 1, data: values } as never);
  const data = makeData({ type: new Struct(schema.fields), length: 1, nullCount: 0, children: [child] });
  const chunks = (async function* () {
    yield { batch: new RecordBatch(schema, data) };
  })();
  return (await readParameters(schema, chunks as never))[0];
}

describe('a parameter', () => {
  it.each<[string, DataType, unknown, string]>([
    ['a day before Christ', new DateDay(), Int32Array.of(-735_160), '0044-03-15 BC'],
    ['a day of a year with five digits', new DateDay(), Int32Array.of(2_932_897), '10000-01-01'],
    ['a day in milliseconds', new DateMillisecond(), BigInt64Array.of(-1n), '1969-12-31'],
    [
      'a year with five digits',
      new TimestampMillisecond('UTC'),
      BigInt64Array.of(253402300800000n),
      '10000-01-01T00:00:00Z',
    ],
    [
      'a time before Christ',
      new TimestampMillisecond(),
      BigInt64Array.of(-63_517_824_000_000n),
      '0044-03-15T00:00:00 BC',
    ],
    ['microseconds in nanoseconds', new TimestampNanosecond(), BigInt64Array.of(-1000n), '1969-12-31T23:59:59.999999'],
    ['a time of day', new TimeNanosecond(), BigInt64Array.of(1000n), '00:00:00.000001'],
    ['a decimal', new Decimal(2, 7, 128), Uint32Array.of(-5, -1, -1, -1), '-0.05'],
  ])('has the text of %s', async (_, type, values, expected) => {
    expect(await text(type, values)).toBe(expected);
  });

  it('of nanoseconds is refused where PostgreSQL would lose digits', async () => {
    await expect(text(new TimestampNanosecond(), BigInt64Array.of(1001n))).rejects.toThrow('got 1001 ns');
  });
});

/** Values that a column would change are refused, by columns and by JSON alike. */

import { batchOfRows } from '@topo-bench/sources';
import {
  Bool,
  type DataType,
  DateDay,
  Decimal,
  Field,
  Float32,
  Float64,
  Int32,
  Int64,
  List,
  Schema,
  Struct,
  TimeMicrosecond,
  TimestampMicrosecond,
  Utf8,
} from 'apache-arrow';
import { Binary, Decimal128, Double, Long, ObjectId } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { rowEncoder } from '../../src/schema/json-value.ts';

const list = (type: DataType): List => new List(new Field('item', type, true));
const struct = (name: string, type: DataType): Struct => new Struct([new Field(name, type, true)]);
const schemaOf = (type: DataType, name = 'v'): Schema => new Schema([new Field(name, type, true)]);
const never = 2n ** 63n - 1n;

describe('a value of a driver is refused', () => {
  it.each<[string, DataType, unknown]>([
    ['a list under an integer', new Int32(), [5]],
    [
      'nested lists under a list of integers',
      list(new Int32()),
      [
        [1, 2],
        [3, 4],
      ],
    ],
    [
      'nested lists under a list of long integers',
      list(new Int64()),
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ['nested lists under a list of booleans', list(new Bool()), [[true], [false]]],
    ['nested lists under a list of floats', list(new Float64()), [[1]]],
    ['nested lists under a list of decimals', list(new Decimal(2, 7, 128)), [['1.25']]],
    ['nested lists under a list of texts', list(new Utf8()), [['a']]],
    ['nested lists under a list of dates', list(new DateDay()), [['2024-02-29']]],
    ['a number under a boolean', new Bool(), 1],
    ['text under a boolean', new Bool(), 'f'],
    ['a boolean under a float', new Float64(), true],
    ['a date under a float', new Float64(), new Date(5)],
    ['an empty text under a float', new Float64(), ' '],
    ['an integer that a float rounds', new Float64(), Long.fromString('9007199254740993')],
    ['a bigint that a float rounds', new Float64(), 2n ** 53n + 1n],
    ['a decimal under a float', new Float64(), Decimal128.fromString('0.1')],
    ['a float beyond 32 bits', new Float32(), 1e39],
    ['an integer beyond 32 bits', new Int32(), 2 ** 31],
    ['an integer beyond 64 bits', new Int64(), '9223372036854775808'],
    ['a decimal of 6,112 digits', new Decimal(0, 38, 128), Decimal128.fromString('1E+6111')],
    ['a decimal of 39 digits', new Decimal(0, 38, 128), '1'.repeat(39)],
    ['a list under a decimal', new Decimal(2, 7, 128), ['1.25']],
    ['bytes of BSON under a decimal', new Decimal(0, 38, 128), new Binary(Buffer.from('1234'))],
    ['infinity under a decimal', new Decimal(0, 38, 128), Decimal128.fromString('Infinity')],
    ['the end of a day', new TimeMicrosecond(), '24:00:00'],
    ['a time of a negative count', new TimeMicrosecond(), -1n],
    ['a timestamp of too many milliseconds', new TimestampMicrosecond('UTC'), never * 1000n],
    ['a date of BSON beyond Date', new TimestampMicrosecond('UTC'), new Date(Number(never))],
    ['a timestamp of text beyond 64 bits', new TimestampMicrosecond(), '294277-01-01 00:00:00'],
    ['a date in another style', new DateDay(), '29.02.2024'],
    ['infinity under a date', new DateDay(), 'infinity'],
    ['a day beyond 32 bits', new DateDay(), 2 ** 31],
    ['a list under a document', struct('a', new Int32()), [1]],
    ['a date under a document', struct('a', new Int32()), new Date(0)],
    ['an identifier under a document', struct('id', new Utf8()), new ObjectId()],
    ['a document that names itself a number', new Float64(), { _bsontype: 'Double', value: 5 }],
  ])('%s', (_, type, v) => {
    const unfit = expect.objectContaining({ code: 'TB_SOURCE_VALUE', message: expect.stringMatching(/^column v/) });
    const schema = schemaOf(type);
    expect(() => batchOfRows(schema, [{ v }])).toThrow(unfit);
    expect(() => rowEncoder(schema.fields)({ v })).toThrow(unfit);
  });
});

describe('a value of a driver is kept', () => {
  it.each<[string, DataType, unknown, string]>([
    ['a long integer that a float has', new Float64(), Long.fromString('9007199254740992'), '9007199254740992'],
    ['a double of BSON', new Float64(), new Double(-0), '-0'],
    ['the largest number of 32 bits, in few digits', new Float32(), '3.4028235e+38', '3.4028235e+38'],
    ['the last microsecond of a day', new TimeMicrosecond(), '23:59:59.999999', '"23:59:59.999999"'],
    ['a date after the last one of Date', new DateDay(), '275761-01-01', '"275761-01-01"'],
    ['the last day of 32 bits', new DateDay(), 2 ** 31 - 1, '"5881580-07-11"'],
    ['the first day of 32 bits', new DateDay(), -(2 ** 31), '"5877642-06-23 BC"'],
    ['the last microsecond', new TimestampMicrosecond(), never, '"294247-01-10T04:00:54.775807"'],
    ['a decimal with an exponent', new Decimal(2, 38, 128), Decimal128.fromString('1E+3'), '"1000.00"'],
    ['a decimal of zeros', new Decimal(2, 38, 128), Decimal128.fromString('0E-6176'), '"0.00"'],
    ['a decimal with zeros before it', new Decimal(1, 7, 128), '007.5', '7.5'],
  ])('%s', (_, type, v, json) => {
    const schema = schemaOf(type);
    expect(rowEncoder(schema.fields)({ v })).toBe(`{"v":${json}}`);
    expect(batchOfRows(schema, [{ v }]).numRows).toBe(1);
  });

  it.each(['toString', 'constructor', 'valueOf'])('also where all objects inherit its name: %s', (name) => {
    const { fields } = schemaOf(new Utf8(), name);
    expect([{}, { [name]: 'x' }].map(rowEncoder(fields))).toEqual([`{"${name}":null}`, `{"${name}":"x"}`]);
  });
});

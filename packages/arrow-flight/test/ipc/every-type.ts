/**
 * A batch of every type that apache-arrow has, with nulls, empty values and values at the edges, as the library
 * itself builds them.
 */
import {
  Binary,
  BinaryView,
  Bool,
  BufferType,
  Data,
  type DataType,
  DateDay,
  DateMillisecond,
  Decimal,
  DenseUnion,
  Dictionary,
  Duration,
  Field,
  FixedSizeBinary,
  FixedSizeList,
  Float16,
  Float32,
  Float64,
  Int8,
  Int16,
  Int32,
  Int64,
  IntervalDayTime,
  IntervalMonthDayNano,
  IntervalYearMonth,
  LargeBinary,
  LargeList,
  LargeUtf8,
  List,
  Map_,
  makeData,
  Null,
  RecordBatch,
  Schema,
  SparseUnion,
  Struct,
  Time,
  Timestamp,
  TimeUnit,
  Uint8,
  Uint16,
  Uint32,
  Uint64,
  Utf8,
  Utf8View,
  Vector,
  vectorFromArray,
} from 'apache-arrow';

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const times = (unit: TimeUnit): 32 | 64 => (unit < TimeUnit.MICROSECOND ? 32 : 64);
const units = [TimeUnit.SECOND, TimeUnit.MILLISECOND, TimeUnit.MICROSECOND, TimeUnit.NANOSECOND];

/** Name → column, each of five values. */
export function everyColumn(): Record<string, Vector> {
  const of = (type: DataType, values: unknown[]): Vector => vectorFromArray(values, type) as Vector;
  const item = (type: DataType): Field => new Field('item', type, true);
  const pair = new Struct([new Field('name', new Utf8(), true), new Field('count', new Int32(), true)]);
  const words = ['red', null, 'blå', '', 'a text of more than twelve bytes'];
  const blobs = [bytes(1, 2), null, bytes(), bytes(255), Uint8Array.from({ length: 40 }, (_, i) => i)];
  const ints = [1, -2, null, 0, 127];
  const naturals = [1, 2, null, 0, 255];
  const longs = [1n, -2n, null, 2n ** 63n - 1n, -(2n ** 63n)];
  const columns: Record<string, Vector> = {
    nothing: of(new Null(), [null, null, null, null, null]),
    bool: of(new Bool(), [true, false, null, true, true]),
    int8: of(new Int8(), ints),
    int16: of(new Int16(), ints),
    int32: of(new Int32(), ints),
    int64: of(new Int64(), longs),
    uint8: of(new Uint8(), naturals),
    uint16: of(new Uint16(), naturals),
    uint32: of(new Uint32(), naturals),
    uint64: of(new Uint64(), [1n, 0n, null, 2n ** 64n - 1n, 7n]),
    float16: of(new Float16(), [1, -0.5, null, 0, 2]),
    float32: of(new Float32(), [1.5, Number.NEGATIVE_INFINITY, null, Number.NaN, -0]),
    float64: of(new Float64(), [Math.PI, Number.MAX_VALUE, null, Number.NaN, 0]),
    utf8: of(new Utf8(), words),
    largeUtf8: of(new LargeUtf8(), words),
    utf8View: of(new Utf8View(), words),
    binary: of(new Binary(), blobs),
    largeBinary: of(new LargeBinary(), blobs),
    binaryView: of(new BinaryView(), blobs),
    fixedBinary: of(new FixedSizeBinary(3), [bytes(1, 2, 3), null, bytes(0, 0, 0), bytes(9, 9, 9), bytes(255, 0, 1)]),
    dateDay: of(new DateDay(), [new Date(0), null, new Date(86_400_000), new Date(-86_400_000), new Date(1e12)]),
    dateMs: of(new DateMillisecond(), [
      new Date(0),
      null,
      new Date(86_400_000),
      new Date(1e12 - (1e12 % 864e5)),
      new Date(864e5),
    ]),
    intervalYears: of(new IntervalYearMonth(), [
      Int32Array.of(14),
      null,
      Int32Array.of(0),
      Int32Array.of(1),
      Int32Array.of(-3),
    ]),
    intervalDays: of(new IntervalDayTime(), [
      Int32Array.of(1, 2),
      null,
      Int32Array.of(0, 0),
      Int32Array.of(3, 4),
      Int32Array.of(5, 6),
    ]),
    intervalNanos: fixed(
      new IntervalMonthDayNano(),
      Int32Array.from({ length: 20 }, (_, i) => i),
    ),
    decimal128: fixed(
      new Decimal(2, 20, 128),
      Uint32Array.from({ length: 20 }, (_, i) => (i % 4 === 0 ? 12345 + i : 0)),
    ),
    decimal256: fixed(
      new Decimal(2, 40, 256),
      Uint32Array.from({ length: 40 }, (_, i) => (i % 8 === 0 ? 777 + i : 0)),
    ),
    list: of(new List(item(new Int32())), [[1, 2], null, [], [3], [4, null, 5]]),
    largeList: largeList(),
    fixedList: of(new FixedSizeList(2, item(new Int16())), [[1, 2], null, [3, 4], [5, null], [7, 8]]),
    struct: of(pair, [
      { name: 'a', count: 1 },
      null,
      { name: null, count: 2 },
      { name: '', count: null },
      { name: 'ü', count: 5 },
    ]),
    map: of(
      new Map_(
        new Field(
          'entries',
          new Struct<{ key: Utf8; value: Int32 }>([
            new Field('key', new Utf8(), false),
            new Field('value', new Int32(), true),
          ] as Field<Utf8 | Int32>[]),
          false,
        ),
      ),
      [
        new Map([['a', 1]]),
        null,
        new Map(),
        new Map([
          ['b', 2],
          ['c', 3],
        ]),
        new Map([['d', 4]]),
      ],
    ),
    nested: of(new List(item(new Struct([new Field('tags', new List(item(new Utf8())), true)]))), [
      [{ tags: ['x', 'y'] }, { tags: [] }],
      [],
      null,
      [{ tags: null }],
      [{ tags: ['z', null] }],
    ]),
    denseUnion: union(true),
    sparseUnion: union(false),
  };
  for (const indices of [new Int8(), new Int16(), new Int32(), new Uint8(), new Uint16(), new Uint32()]) {
    columns[`dictionary${indices}`] = of(new Dictionary(new Utf8(), indices), ['eu', 'us', null, 'eu', 'apac']);
  }
  columns.dictionaryOfInts = of(new Dictionary(new Int64(), new Int16()), [5n, 6n, 5n, null, 6n]);
  for (const unit of units) {
    const values = times(unit) === 32 ? [0, 1, null, 86_399, 5] : [0n, 1n, null, 86_399n, 5n];
    columns[`time${TimeUnit[unit]}`] = of(new Time(unit, times(unit)), values);
    const stamps = BigInt64Array.of(0n, 1_700_000_000n, -1n, 5n, 2n ** 40n);
    columns[`timestamp${TimeUnit[unit]}`] = fixed(
      new Timestamp(unit, unit % 2 === 0 ? 'Europe/Stockholm' : null),
      stamps,
    );
    columns[`duration${TimeUnit[unit]}`] = of(new Duration(unit), longs.slice(0, 2).concat([3n, null, 4n]));
  }
  return columns;
}

/** All of them as one batch. */
export function everyTypeBatch(columns = everyColumn()): RecordBatch {
  const entries = Object.entries(columns);
  const schema = new Schema(
    entries.map(([name, { type }]) => new Field(name, type, true, new Map([['note', `of ${name}`]]))),
    new Map([
      ['made', 'for tests'],
      ['é', 'ü'],
    ]),
  );
  const children = entries.map(([, vector]) => vector.data[0] as Data);
  return new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length: 5, nullCount: 0, children }));
}

/** Values of one width, the second of them null. */
function fixed(type: DataType, values: Int32Array | Uint32Array | BigInt64Array): Vector {
  const nullBitmap = bytes(0b11101);
  return vectorOf(makeData({ type: type as Int32, length: 5, nullCount: 1, nullBitmap, data: values as Int32Array }));
}

function largeList(): Vector {
  const child = vectorFromArray([1, 2, null, 4], new Int32()).data[0] as Data;
  const valueOffsets = BigInt64Array.of(0n, 2n, 2n, 2n, 4n, 4n);
  const type = new LargeList(new Field('item', new Int32(), true));
  const buffers = { [BufferType.OFFSET]: valueOffsets, [BufferType.VALIDITY]: bytes(0b11101) };
  return vectorOf(new Data(type, 0, 5, 1, buffers, [child]));
}

function union(isDense: boolean): Vector {
  const fields = [new Field('number', new Int32(), true), new Field('word', new Utf8(), true)];
  const typeIds = Int8Array.of(3, 7, 3, 7, 7);
  if (isDense) {
    const children = [vectorFromArray([1, null], new Int32()), vectorFromArray(['a', 'b', 'ç'], new Utf8())];
    const type = new DenseUnion([3, 7], fields);
    const valueOffsets = Int32Array.of(0, 0, 1, 1, 2);
    return vectorOf(
      makeData({ type, length: 5, typeIds, valueOffsets, children: children.map(({ data }) => data[0] as Data) }),
    );
  }
  const children = [
    vectorFromArray([1, 0, null, 0, 0], new Int32()),
    vectorFromArray(['', 'a', '', 'b', 'ç'], new Utf8()),
  ];
  const type = new SparseUnion([3, 7], fields);
  return vectorOf(makeData({ type, length: 5, typeIds, children: children.map(({ data }) => data[0] as Data) }));
}

function vectorOf(data: Data): Vector {
  return new Vector([data]);
}

/** Every value of a batch in a form that compares: nulls, texts, numbers, bytes, lists and members all the way down. */
export function valuesOf(batch: RecordBatch): unknown[][] {
  return batch.schema.fields.map((_, c) => {
    const column = batch.getChildAt(c) as Vector;
    return Array.from({ length: batch.numRows }, (_, i) => plain(column.get(i)));
  });
}

export function plain(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : value;
  if (typeof value !== 'object') return value;
  if (ArrayBuffer.isView(value)) return [...(value as unknown as Iterable<unknown>)].map(plain);
  if (typeof (value as { toArray?: unknown }).toArray === 'function')
    return [...(value as Iterable<unknown>)].map(plain);
  if (value instanceof Date) return value.getTime();
  if (Symbol.iterator in value)
    return [...(value as Iterable<unknown>)].map((entry) => (Array.isArray(entry) ? entry.map(plain) : plain(entry)));
  return String(value);
}

/** Joins record batches of one schema into one: rows that arrive in small groups become large batches of columns. */
import {
  type Bool,
  type Data,
  type DataType,
  type List,
  makeData,
  RecordBatch,
  type Schema,
  Struct,
  Type,
} from 'apache-arrow';
import type { Row } from '../source.ts';
import { batchOfRows } from './batch-of-rows.ts';

/** Rows that exist as objects at a time. More live longer than a young generation of V8, and fill its heap. */
const objectRows = 2000;

/** Record batches of exactly `batchRows` rows, the last one of fewer. @param rows in groups of any size */
export async function* joinedBatches(
  schema: Schema,
  rows: AsyncIterable<readonly Row[]>,
  batchRows: number,
): AsyncGenerator<RecordBatch, void, void> {
  let parts: RecordBatch[] = [];
  let count = 0;
  for await (const group of rows) {
    for (let first = 0; first < group.length; ) {
      const size = Math.min(objectRows, batchRows - count, group.length - first);
      parts.push(batchOfRows(schema, group.slice(first, first + size)));
      first += size;
      count += size;
      if (count < batchRows) continue;
      yield joinBatches(schema, parts);
      parts = [];
      count = 0;
    }
  }
  if (count > 0) yield joinBatches(schema, parts);
}

/** @param batches as made by `batchOfRows`: their buffers begin with the first row */
export function joinBatches(schema: Schema, batches: readonly RecordBatch[]): RecordBatch {
  const [only] = batches;
  if (batches.length === 1 && only) return only;
  const length = batches.reduce((sum, { numRows }) => sum + numRows, 0);
  const children = schema.fields.map(({ type }, place) =>
    joinColumns(
      type,
      batches.map(({ data }) => data.children[place] as Data),
    ),
  );
  return new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length, nullCount: 0, children }));
}

function joinColumns(type: DataType, parts: readonly Data[]): Data {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const nulls = { type, length, ...joinedNulls(parts, length) };
  switch (type.typeId) {
    case Type.Bool:
      return makeData({ ...nulls, type: type as Bool, data: joinedBits(parts, length, ({ values }) => values) });
    case Type.Utf8:
    case Type.Binary: {
      const data = joinedValues(parts.map(({ values, valueOffsets }) => values.subarray(0, lastOf(valueOffsets))));
      return makeData({ ...nulls, valueOffsets: joinedOffsets(parts, length), data } as never);
    }
    case Type.List: {
      const child = joinColumns(
        (type as List).valueType,
        parts.map(({ children }) => children[0] as Data),
      );
      return makeData({ ...nulls, valueOffsets: joinedOffsets(parts, length), child } as never);
    }
    case Type.Struct: {
      const children = (type as Struct).children.map((field, place) =>
        joinColumns(
          field.type,
          parts.map(({ children }) => children[place] as Data),
        ),
      );
      return makeData({ ...nulls, children } as never);
    }
    default:
      return makeData({ ...nulls, data: joinedValues(parts.map(({ values }) => values)) } as never);
  }
}

type Numbers = Uint8Array & { set(values: Numbers, at: number): void };

function joinedValues(parts: readonly Numbers[]): Numbers {
  const [first] = parts as [Numbers];
  const ArrayType = first.constructor as new (length: number) => Numbers;
  const joined = new ArrayType(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

function joinedOffsets(parts: readonly Data[], length: number): Int32Array {
  const joined = new Int32Array(length + 1);
  let [row, start] = [0, 0];
  for (const { valueOffsets, length: rows } of parts) {
    for (let i = 1; i <= rows; i++) joined[row + i] = start + (valueOffsets[i] as number);
    row += rows;
    start += lastOf(valueOffsets);
  }
  return joined;
}

function lastOf(offsets: Int32Array): number {
  return offsets.at(-1) ?? 0;
}

function joinedNulls(
  parts: readonly Data[],
  length: number,
): { nullCount: number; nullBitmap: Uint8Array | undefined } {
  const nullCount = parts.reduce((sum, part) => sum + part.nullCount, 0);
  if (nullCount === 0) return { nullCount, nullBitmap: undefined };
  return {
    nullCount,
    nullBitmap: joinedBits(parts, length, (part) => (part.nullCount > 0 ? part.nullBitmap : undefined)),
  };
}

/** @param bitsOf undefined where all bits are set */
function joinedBits(
  parts: readonly Data[],
  length: number,
  bitsOf: (part: Data) => Uint8Array | undefined,
): Uint8Array {
  const joined = new Uint8Array((length + 7) >> 3);
  let row = 0;
  for (const part of parts) {
    const bits = bitsOf(part);
    for (let i = 0; i < part.length; i++, row++) {
      const isSet = bits === undefined || ((bits[i >> 3] as number) >> (i & 7)) & 1;
      if (isSet) joined[row >> 3] = (joined[row >> 3] as number) | (1 << (row & 7));
    }
  }
  return joined;
}

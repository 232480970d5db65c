/** Converts one column of text rows to Arrow data. */
import { bitmapBytes } from '@topo-bench/arrow-flight/ipc';
import { BufferType, Data, DataType, type Decimal } from 'apache-arrow';
import { readBytes, readDate, readDecimal, readFloat, readTime, readTimestamp } from './read-values.ts';
import type { SqlRow } from './sql-source.ts';

type Values = ReturnType<typeof fixedValues>;

/**
 * @param index of the column in the rows
 * @throws FlightError `out-of-range` for a value beyond the type's range
 */
export function columnData(type: DataType, rows: readonly SqlRow[], index: number): Data {
  const { bitmap, nullCount } = validity(rows, index);
  const valid = { [BufferType.VALIDITY]: nullCount > 0 ? bitmap : undefined };
  const buffers = { ...valid, ...valuesOf(type, rows, index) };
  return new Data(type, 0, rows.length, nullCount, buffers as ConstructorParameters<typeof Data>[4]);
}

function validity(rows: readonly SqlRow[], index: number): { bitmap: Uint8Array; nullCount: number } {
  const bitmap = new Uint8Array(bitmapBytes(rows.length));
  let nullCount = 0;
  rows.forEach((row, i) => {
    if (row[index] === null) nullCount++;
    else setBit(bitmap, i);
  });
  return { bitmap, nullCount };
}

function valuesOf(type: DataType, rows: readonly SqlRow[], index: number): object {
  if (DataType.isUtf8(type)) return variableValues(rows, index, (value) => Buffer.from(value, 'utf8'));
  if (DataType.isBinary(type)) return variableValues(rows, index, readBytes);
  if (DataType.isBool(type)) return { [BufferType.DATA]: bits(rows, index) };
  const [values, put] = fixedValues(type, rows.length);
  rows.forEach((row, i) => {
    const value = row[index];
    if (value !== null && value !== undefined) put(i, value);
  });
  return { [BufferType.DATA]: values };
}

/** Buffer of fixed-width values, and its setter. */
function fixedValues(type: DataType, length: number): readonly [ArrayBufferView, (row: number, value: string) => void] {
  if (DataType.isDecimal(type)) return decimals(type, length);
  if (DataType.isDate(type)) return numbers(new Int32Array(length), readDate);
  if (DataType.isTime(type)) return bigNumbers(length, readTime);
  if (DataType.isTimestamp(type)) return bigNumbers(length, readTimestamp);
  if (DataType.isInt(type) && type.bitWidth === 64) return bigNumbers(length, BigInt);
  const array = new (type.ArrayType as new (length: number) => Float64Array)(length);
  return numbers(array, DataType.isFloat(type) ? readFloat : Number);
}

function numbers(array: { [row: number]: number } & ArrayBufferView, read: (value: string) => number): Values {
  const put = (row: number, value: string): void => {
    array[row] = read(value);
  };
  return [array, put];
}

function bigNumbers(length: number, read: (value: string) => bigint): Values {
  const array = new BigInt64Array(length);
  const put = (row: number, value: string): void => {
    array[row] = read(value);
  };
  return [array, put];
}

/** 128-bit two's complement, low half first. */
function decimals({ scale }: Decimal, length: number): Values {
  const halves = new BigInt64Array(2 * length);
  const put = (row: number, value: string): void => {
    const digits = readDecimal(value, scale);
    halves[2 * row] = BigInt.asIntN(64, digits);
    halves[2 * row + 1] = digits >> 64n;
  };
  return [new Uint32Array(halves.buffer), put];
}

function bits(rows: readonly SqlRow[], index: number): Uint8Array {
  const bitmap = new Uint8Array(bitmapBytes(rows.length));
  rows.forEach((row, i) => {
    if (row[index] === 't') setBit(bitmap, i);
  });
  return bitmap;
}

function variableValues(rows: readonly SqlRow[], index: number, bytesOf: (value: string) => Uint8Array): object {
  const offsets = new Int32Array(rows.length + 1);
  const parts = rows.map((row, i) => {
    const value = row[index];
    const part = value === null || value === undefined ? noBytes : bytesOf(value);
    offsets[i + 1] = (offsets[i] as number) + part.length;
    return part;
  });
  return { [BufferType.OFFSET]: offsets, [BufferType.DATA]: new Uint8Array(Buffer.concat(parts)) };
}

const noBytes = new Uint8Array(0);

function setBit(bitmap: Uint8Array, index: number): void {
  bitmap[index >>> 3] = (bitmap[index >>> 3] as number) | (1 << (index & 7));
}

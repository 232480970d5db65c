/** Values of fixed width: booleans, numbers, dates and times. */
import { type DataType, Int64 } from 'apache-arrow';
import { BitsBuilder, FixedBuilder } from '../../columns/column-builder.ts';
import { microsOfDay } from '../../rows/time-values.ts';
import { unfitValue } from '../../source-error.ts';
import { type Chunk, ColumnDecoder } from './column-decoder.ts';

export class BoolDecoder extends ColumnDecoder<BitsBuilder> {
  constructor(type: DataType, path: string) {
    super(new BitsBuilder(type, path));
  }

  decode({ bytes }: Chunk, at: number, length: number, row: number): void {
    this.requireLength(length, 1);
    this.builder.set(row, bytes[at] !== 0);
  }
}

export class Int16Decoder extends ColumnDecoder<FixedBuilder<Int16Array>> {
  constructor(type: DataType, path: string, capacity: number) {
    super(new FixedBuilder<Int16Array>(type, path, capacity));
  }

  decode({ view }: Chunk, at: number, length: number, row: number): void {
    this.requireLength(length, 2);
    this.builder.reserve(row);
    this.builder.values[row] = view.getInt16(at);
  }
}

export class Int32Decoder extends ColumnDecoder<FixedBuilder<Int32Array>> {
  constructor(type: DataType, path: string, capacity: number) {
    super(new FixedBuilder<Int32Array>(type, path, capacity));
  }

  decode({ view }: Chunk, at: number, length: number, row: number): void {
    this.requireLength(length, 4);
    this.builder.reserve(row);
    this.builder.values[row] = view.getInt32(at);
  }
}

export class Uint32Decoder extends ColumnDecoder<FixedBuilder<Uint32Array>> {
  constructor(type: DataType, path: string, capacity: number) {
    super(new FixedBuilder<Uint32Array>(type, path, capacity));
  }

  decode({ view }: Chunk, at: number, length: number, row: number): void {
    this.requireLength(length, 4);
    this.builder.reserve(row);
    this.builder.values[row] = view.getUint32(at);
  }
}

export class Int64Decoder extends ColumnDecoder<FixedBuilder<BigInt64Array>> {
  constructor(type: DataType, path: string, capacity: number) {
    super(new FixedBuilder<BigInt64Array>(type, path, capacity));
  }

  decode({ view }: Chunk, at: number, length: number, row: number): void {
    this.requireLength(length, 8);
    this.builder.reserve(row);
    this.builder.values[row] = view.getBigInt64(at);
  }
}

/** Microseconds since midnight on both sides; PostgreSQL also has `24:00:00`. */
export class TimeDecoder extends Int64Decoder {
  override decode(chunk: Chunk, at: number, length: number, row: number): void {
    super.decode(chunk, at, length, row);
    microsOfDay(this.builder.values[row], this.builder.path);
  }
}

export class Float32Decoder extends ColumnDecoder<FixedBuilder<Float32Array>> {
  constructor(type: DataType, path: string, capacity: number) {
    super(new FixedBuilder<Float32Array>(type, path, capacity));
  }

  decode({ view }: Chunk, at: number, length: number, row: number): void {
    this.requireLength(length, 4);
    this.builder.reserve(row);
    this.builder.values[row] = view.getFloat32(at);
  }
}

export class Float64Decoder extends ColumnDecoder<FixedBuilder<Float64Array>> {
  constructor(type: DataType, path: string, capacity: number) {
    super(new FixedBuilder<Float64Array>(type, path, capacity));
  }

  decode({ view }: Chunk, at: number, length: number, row: number): void {
    this.requireLength(length, 8);
    this.builder.reserve(row);
    this.builder.values[row] = view.getFloat64(at);
  }
}

const infiniteDay = 0x7fffffff;
/** PostgreSQL counts from 2000-01-01, Arrow from 1970-01-01. */
const epochDays = 10_957;
const epochMicros = BigInt(epochDays) * 86_400_000_000n;
const maxMicros = 2n ** 63n - 1n;
const minMicros = -(2n ** 63n);

export class DateDecoder extends ColumnDecoder<FixedBuilder<Int32Array>> {
  constructor(type: DataType, path: string, capacity: number) {
    super(new FixedBuilder<Int32Array>(type, path, capacity));
  }

  decode({ view }: Chunk, at: number, length: number, row: number): void {
    this.requireLength(length, 4);
    const days = view.getInt32(at);
    if (days === infiniteDay || days === ~infiniteDay) throw notFinite(this.builder.path, days > 0, 'a date');
    this.builder.reserve(row);
    this.builder.values[row] = days + epochDays;
  }
}

export class TimestampDecoder extends ColumnDecoder<FixedBuilder<BigInt64Array>> {
  constructor(type: DataType, path: string, capacity: number) {
    super(new FixedBuilder<BigInt64Array>(type, path, capacity));
  }

  decode({ view }: Chunk, at: number, length: number, row: number): void {
    this.requireLength(length, 8);
    const micros = view.getBigInt64(at);
    if (micros > maxMicros - epochMicros || micros === minMicros) this.refuse(micros);
    this.builder.reserve(row);
    this.builder.values[row] = micros + epochMicros;
  }

  private refuse(micros: bigint): never {
    const { path } = this.builder;
    if (micros === maxMicros || micros === minMicros) throw notFinite(path, micros > 0n, 'a timestamp');
    throw unfitValue(path, `${micros} µs after 2000-01-01`, `a timestamp of ${new Int64()} microseconds after 1970`);
  }
}

function notFinite(path: string, isPositive: boolean, expected: string): Error {
  return unfitValue(path, isPositive ? 'infinity' : '-infinity', `${expected} that is finite`);
}

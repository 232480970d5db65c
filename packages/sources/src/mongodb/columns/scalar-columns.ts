/**
 * Columns of single values. Integers become wider integers, and 32-bit integers become doubles; nothing else is
 * converted.
 */
import type { DataType, Decimal } from 'apache-arrow';
import { Decimal128 } from 'mongodb';
import { BytesBuilder } from '../../columns/bytes-builder.ts';
import { BitsBuilder, FixedBuilder } from '../../columns/column-builder.ts';
import { writeDecimal } from '../../rows/decimal-values.ts';
import { exponentOf, hasSmallCoefficient, isNegative } from '../../rows/decimal128.ts';
import { BuiltColumn } from './bson-column.ts';
import { bson, type Chunk } from './bson-element.ts';

export class BoolColumn extends BuiltColumn<BitsBuilder> {
  constructor(type: DataType, path: string) {
    super(new BitsBuilder(type, path));
  }

  decode({ bytes }: Chunk, type: number, at: number, _end: number, row: number): void {
    if (type !== bson.bool) this.refuse(type);
    this.builder.set(row, bytes[at] !== 0);
  }
}

export class Int32Column extends BuiltColumn<FixedBuilder<Int32Array>> {
  constructor(type: DataType, path: string, capacity: number) {
    super(new FixedBuilder<Int32Array>(type, path, capacity));
  }

  decode({ view }: Chunk, type: number, at: number, _end: number, row: number): void {
    if (type !== bson.int32) this.refuse(type);
    this.builder.reserve(row);
    this.builder.values[row] = view.getInt32(at, true);
  }
}

export class Int64Column extends BuiltColumn<FixedBuilder<BigInt64Array>> {
  constructor(type: DataType, path: string, capacity: number) {
    super(new FixedBuilder<BigInt64Array>(type, path, capacity));
  }

  decode({ view }: Chunk, type: number, at: number, _end: number, row: number): void {
    this.builder.reserve(row);
    if (type === bson.int64) this.builder.values[row] = view.getBigInt64(at, true);
    else if (type === bson.int32) this.builder.values[row] = BigInt(view.getInt32(at, true));
    else this.refuse(type);
  }
}

export class Float64Column extends BuiltColumn<FixedBuilder<Float64Array>> {
  constructor(type: DataType, path: string, capacity: number) {
    super(new FixedBuilder<Float64Array>(type, path, capacity));
  }

  decode({ view }: Chunk, type: number, at: number, _end: number, row: number): void {
    this.builder.reserve(row);
    if (type === bson.double) this.builder.values[row] = view.getFloat64(at, true);
    else if (type === bson.int32) this.builder.values[row] = view.getInt32(at, true);
    else this.refuse(type);
  }
}

/** BSON dates have milliseconds. Loaded columns have microseconds, as 64-bit integers. */
export class TimestampColumn extends BuiltColumn<FixedBuilder<BigInt64Array>> {
  constructor(type: DataType, path: string, capacity: number) {
    super(new FixedBuilder<BigInt64Array>(type, path, capacity));
  }

  decode({ view }: Chunk, type: number, at: number, _end: number, row: number): void {
    this.builder.reserve(row);
    if (type === bson.date) this.builder.values[row] = view.getBigInt64(at, true) * 1000n;
    else if (type === bson.int64) this.builder.values[row] = view.getBigInt64(at, true);
    else this.refuse(type);
  }
}

/** Texts, and identifiers as their 24 hexadecimal digits. */
export class TextColumn extends BuiltColumn<BytesBuilder> {
  constructor(type: DataType, path: string, capacity: number) {
    super(new BytesBuilder(type, path, capacity));
  }

  decode({ bytes }: Chunk, type: number, at: number, end: number, row: number): void {
    // Length before the text, and a zero byte after it.
    if (type === bson.text) this.builder.append(row, bytes, at + 4, end - at - 5);
    else if (type === bson.objectId) this.builder.append(row, Buffer.from(bytes.toString('hex', at, end)), 0, 24);
    else this.refuse(type);
  }
}

const maxShift = 15;
const maxSmall = 2 ** 53;
const powers = Array.from({ length: maxShift + 1 }, (_, i) => 10 ** i);

/** Coefficients below 2^53 are converted here, others through their text. */
export class DecimalColumn extends BuiltColumn<FixedBuilder<Uint32Array, Decimal>> {
  private readonly scale: number;
  /** Smallest unscaled value with too many digits. */
  private readonly limit: number;

  constructor(type: Decimal, path: string, capacity: number) {
    super(new FixedBuilder<Uint32Array, Decimal>(type, path, capacity, 4));
    this.scale = type.scale;
    this.limit = Math.min(maxSmall, 10 ** type.precision);
  }

  decode(chunk: Chunk, type: number, at: number, end: number, row: number): void {
    if (type !== bson.decimal128) this.refuse(type);
    const { view } = chunk;
    this.builder.reserve(row);
    const high = view.getUint32(at + 12, true);
    const size = view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;
    const shift = exponentOf(high) + this.scale;
    const isSmall = hasSmallCoefficient(view.getUint32(at + 8, true), high);
    const power = powers[Math.abs(shift)];
    const unscaled = power === undefined ? Number.NaN : shift < 0 ? size / power : size * power;
    if (isSmall && size < maxSmall && unscaled < this.limit && Number.isInteger(unscaled)) {
      this.write(row, isNegative(high) ? -unscaled : unscaled);
    } else {
      const value = new Decimal128(Uint8Array.from(chunk.bytes.subarray(at, end)));
      writeDecimal(this.builder.values, row, this.builder.type, String(value), this.builder.path);
    }
  }

  private write(row: number, value: number): void {
    const { values } = this.builder;
    // Stores of a Uint32Array are modulo 2^32.
    values[4 * row] = value;
    values[4 * row + 1] = Math.floor(value / 2 ** 32);
    if (value < 0) values[4 * row + 2] = values[4 * row + 3] = -1;
  }
}

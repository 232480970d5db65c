/**
 * Columns that grow row by row: values go straight into the buffers of Arrow, without an object per value. `finish`
 * hands the buffers over and starts anew. Rows are written in order, each exactly once.
 */
import { type Data, type DataType, makeData } from 'apache-arrow';
import { Validity } from './validity.ts';

export abstract class ColumnBuilder<T extends DataType = DataType> {
  protected readonly validity = new Validity();

  /** @param path name of the column, with the names of its parents: for messages */
  constructor(
    readonly type: T,
    readonly path: string,
  ) {}

  setNull(row: number): void {
    this.validity.setNull(row);
  }

  /** The column of the first `rows` rows. */
  abstract finish(rows: number): Data<T>;
}

type FixedArray =
  | Int8Array
  | Int16Array
  | Int32Array
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | Float32Array
  | Float64Array
  | BigInt64Array
  | BigUint64Array;

/** Values of one width, with `stride` elements of the array per row. */
export class FixedBuilder<A extends FixedArray = FixedArray, T extends DataType = DataType> extends ColumnBuilder<T> {
  values: A;
  private readonly ArrayType: new (
    length: number,
  ) => A;

  /** @param capacity expected rows; more are allowed */
  constructor(
    type: T,
    path: string,
    private capacity: number,
    private readonly stride = 1,
  ) {
    super(type, path);
    this.ArrayType = type.ArrayType as unknown as new (length: number) => A;
    this.values = this.empty();
  }

  /** Makes room; call before a value of `row` is written. */
  reserve(row: number): void {
    if (row < this.capacity) return;
    this.capacity = Math.max(2 * this.capacity, row + 1);
    const smaller = this.values;
    this.values = this.empty();
    this.values.set(smaller as never);
  }

  finish(rows: number): Data<T> {
    // Null rows at the end need no value, but room.
    if (rows > 0) this.reserve(rows - 1);
    const data = this.values.subarray(0, rows * this.stride);
    this.values = this.empty();
    return makeData({ type: this.type, length: rows, ...this.validity.take(rows), data } as never) as Data<T>;
  }

  private empty(): A {
    return new this.ArrayType(this.capacity * this.stride);
  }
}

/** Booleans: one bit per row. */
export class BitsBuilder<T extends DataType = DataType> extends ColumnBuilder<T> {
  private bits = new Uint8Array(1024);

  set(row: number, value: boolean): void {
    const index = row >>> 3;
    if (index >= this.bits.length) {
      const smaller = this.bits;
      this.bits = new Uint8Array(Math.max(2 * smaller.length, index + 1));
      this.bits.set(smaller);
    }
    if (value) this.bits[index] = (this.bits[index] as number) | (1 << (row & 7));
  }

  finish(rows: number): Data<T> {
    if (rows > 0) this.set(rows - 1, false);
    const data = this.bits.subarray(0, (rows + 7) >>> 3);
    this.bits = new Uint8Array(this.bits.length);
    return makeData({ type: this.type, length: rows, ...this.validity.take(rows), data } as never) as Data<T>;
  }
}

/** Texts and byte strings: offsets, and the bytes of all rows one after the other. */
import { type Data, type DataType, makeData } from 'apache-arrow';
import { unfitValue } from '../source-error.ts';
import { ColumnBuilder } from './column-builder.ts';
import { Offsets } from './offsets.ts';

const firstBytes = 64 * 1024;
const maxBytes = 2 ** 31 - 1;
/** Up to here, a loop is faster than a call of the runtime. */
const loopBytes = 32;

export class BytesBuilder<T extends DataType = DataType> extends ColumnBuilder<T> {
  private bytes = Buffer.allocUnsafeSlow(firstBytes);
  private readonly offsets: Offsets;

  /** @param capacity expected rows; more are allowed */
  constructor(type: T, path: string, capacity: number) {
    super(type, path);
    this.offsets = new Offsets(capacity);
  }

  append(row: number, source: Buffer, from: number, length: number): void {
    const start = this.reserve(length);
    const { bytes } = this;
    if (length > loopBytes) source.copy(bytes, start, from, from + length);
    else for (let i = 0; i < length; i++) bytes[start + i] = source[from + i] as number;
    this.offsets.endRow(row, start + length);
  }

  /** Makes room for a value of `length` bytes that the caller writes, and ends the row with it. */
  claim(row: number, length: number): { bytes: Buffer; at: number } {
    const at = this.reserve(length);
    this.offsets.endRow(row, at + length);
    return { bytes: this.bytes, at };
  }

  finish(rows: number): Data<T> {
    const valueOffsets = this.offsets.take(rows);
    const end = valueOffsets[rows] as number;
    const data = new Uint8Array(this.bytes.buffer, this.bytes.byteOffset, end);
    // The next batch is expected to be about as large.
    this.bytes = Buffer.allocUnsafeSlow(Math.max(firstBytes, Math.min(maxBytes, Math.ceil(end * 1.05))));
    const made = { type: this.type, length: rows, ...this.validity.take(rows), valueOffsets, data };
    return makeData(made as never) as Data<T>;
  }

  /** @returns where the bytes go @throws TopoBenchError `TB_SOURCE_VALUE` beyond the limit of Arrow's offsets */
  private reserve(length: number): number {
    const start = this.offsets.end;
    const end = start + length;
    if (end > maxBytes) {
      throw unfitValue(this.path, `${end} bytes in one batch`, 'less than 2 GiB', 'use smaller batches');
    }
    if (end > this.bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.min(maxBytes, Math.max(2 * this.bytes.length, end)));
      this.bytes.copy(larger, 0, 0, start);
      this.bytes = larger;
    }
    return start;
  }
}

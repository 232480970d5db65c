/** A column of PostgreSQL's binary format on its way into Arrow's buffers. */
import type { Data } from 'apache-arrow';
import type { ColumnBuilder } from '../../columns/column-builder.ts';
import { damagedStream } from './damaged-stream.ts';

/** Bytes from the server, twice: numbers are read from `view`, texts are copied from `bytes`. */
export interface Chunk {
  bytes: Buffer;
  view: DataView;
}

/** `send` functions of PostgreSQL's types define the format of a value: big endian, without padding. */
export abstract class ColumnDecoder<B extends ColumnBuilder = ColumnBuilder> {
  constructor(readonly builder: B) {}

  /** Decodes the value of `length` bytes at `at` into `row`. The bytes are within the chunk. */
  abstract decode(chunk: Chunk, at: number, length: number, row: number): void;

  setNull(row: number): void {
    this.builder.setNull(row);
  }

  finish(rows: number): Data {
    return this.builder.finish(rows);
  }

  protected requireLength(length: number, expected: number): void {
    if (length === expected) return;
    throw damagedStream(`column ${this.builder.path}: got a value of ${length} bytes, expected ${expected}`);
  }
}

/** A column on its way from BSON into Arrow's buffers. */
import type { Data } from 'apache-arrow';
import type { ColumnBuilder } from '../../columns/column-builder.ts';
import { unfitValue } from '../../source-error.ts';
import { type Chunk, nameOfType } from './bson-element.ts';

export interface BsonColumn {
  /** Decodes the value of a type from `at` to `end`, which is neither null nor missing. */
  decode(chunk: Chunk, type: number, at: number, end: number, row: number): void;
  setNull(row: number): void;
  finish(rows: number): Data;
}

export abstract class BuiltColumn<B extends ColumnBuilder> implements BsonColumn {
  constructor(protected readonly builder: B) {}

  abstract decode(chunk: Chunk, type: number, at: number, end: number, row: number): void;

  setNull(row: number): void {
    this.builder.setNull(row);
  }

  finish(rows: number): Data {
    return this.builder.finish(rows);
  }

  /** A column has one type: other numbers are converted only where each value has an exact counterpart. */
  protected refuse(type: number): never {
    throw unfitValue(this.builder.path, nameOfType(type), `a value of ${this.builder.type}`);
  }
}

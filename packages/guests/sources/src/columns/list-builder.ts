/** Lists: offsets, and the elements of all rows in a column of their own. */
import { type Data, type List, makeData } from 'apache-arrow';
import { ColumnBuilder } from './column-builder.ts';
import { Offsets } from './offsets.ts';

export class ListBuilder<C extends ColumnBuilder = ColumnBuilder> extends ColumnBuilder<List> {
  private readonly offsets: Offsets;

  constructor(
    type: List,
    path: string,
    capacity: number,
    /** Its rows are the elements. */
    readonly elements: C,
  ) {
    super(type, path);
    this.offsets = new Offsets(capacity);
  }

  /** The row of `elements` at which the next list starts. */
  get end(): number {
    return this.offsets.end;
  }

  /** Ends the list of `row` before the row `end` of `elements`. */
  endRow(row: number, end: number): void {
    this.offsets.endRow(row, end);
  }

  finish(rows: number): Data<List> {
    const valueOffsets = this.offsets.take(rows);
    const child = this.elements.finish(valueOffsets[rows] as number);
    const made = { type: this.type, length: rows, ...this.validity.take(rows), valueOffsets, child };
    return makeData(made as never) as unknown as Data<List>;
  }
}

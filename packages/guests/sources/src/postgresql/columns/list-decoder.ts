/**
 * Arrays as lists. The format is array_send: dimensions, a flag for nulls, the element type, then length and lower
 * bound of each dimension, then the elements, each with its length (-1 for null).
 */
import type { List } from 'apache-arrow';
import { ListBuilder } from '../../columns/list-builder.ts';
import { unfitValue } from '../../source-error.ts';
import { type Chunk, ColumnDecoder } from './column-decoder.ts';
import { damagedStream } from './damaged-stream.ts';

const emptyBytes = 12;
const headerBytes = 20;

export class ListDecoder extends ColumnDecoder<ListBuilder> {
  constructor(
    type: List,
    path: string,
    capacity: number,
    private readonly elements: ColumnDecoder,
  ) {
    super(new ListBuilder(type, path, capacity, elements.builder));
  }

  decode(chunk: Chunk, at: number, length: number, row: number): void {
    const { view } = chunk;
    if (length < emptyBytes) throw this.damaged();
    const dimensions = view.getInt32(at);
    let element = this.builder.end;
    if (dimensions === 0) {
      this.builder.endRow(row, element);
      return;
    }
    if (dimensions !== 1) throw unfitValue(this.builder.path, `${dimensions} dimensions`, 'an array of one dimension');
    if (length < headerBytes) throw this.damaged();
    const last = element + view.getInt32(at + 12);
    const end = at + length;
    let next = at + headerBytes;
    for (; element < last; element++) {
      if (next + 4 > end) throw this.damaged();
      const size = view.getInt32(next);
      next += 4;
      if (size < 0) this.elements.setNull(element);
      else {
        if (next + size > end) throw this.damaged();
        this.elements.decode(chunk, next, size, element);
        next += size;
      }
    }
    if (next !== end) throw this.damaged();
    this.builder.endRow(row, element);
  }

  private damaged(): Error {
    return damagedStream(`column ${this.builder.path}: got an array whose length contradicts its elements`);
  }
}

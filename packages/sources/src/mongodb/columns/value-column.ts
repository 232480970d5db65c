/** A column of any other type, lists and documents among them: through the values of the driver. */
import type { Data, DataType } from 'apache-arrow';
import { BSON } from 'mongodb';
import { columnOfValues } from '../../rows/column-of-values.ts';
import type { BsonColumn } from './bson-column.ts';
import type { Chunk } from './bson-element.ts';

/** Length, type, and a name of one character with its end. */
const headerBytes = 7;

export class ValueColumn implements BsonColumn {
  private values: unknown[] = [];

  constructor(
    private readonly type: DataType,
    private readonly path: string,
  ) {}

  decode({ bytes }: Chunk, type: number, at: number, end: number, row: number): void {
    const document = Buffer.alloc(headerBytes + end - at + 1);
    document.writeInt32LE(document.length);
    document[4] = type;
    document[5] = 'v'.charCodeAt(0);
    bytes.copy(document, headerBytes, at, end);
    this.values[row] = BSON.deserialize(document).v;
  }

  setNull(row: number): void {
    this.values[row] = null;
  }

  finish(rows: number): Data {
    const values = this.values;
    this.values = [];
    values.length = rows;
    return columnOfValues(this.type, values, this.path);
  }
}

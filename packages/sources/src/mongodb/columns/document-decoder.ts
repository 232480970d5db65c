/** Decodes raw documents into record batches, without an object per document or value. */
import {
  type DataType,
  type Decimal,
  makeData,
  RecordBatch,
  type Schema,
  Struct,
  type Timestamp,
  TimeUnit,
  Type,
} from 'apache-arrow';
import { unfitValue } from '../../source-error.ts';
import type { BsonColumn } from './bson-column.ts';
import { bson, type Chunk, damagedDocument, endOfValue } from './bson-element.ts';
import {
  BoolColumn,
  DecimalColumn,
  Float64Column,
  Int32Column,
  Int64Column,
  TextColumn,
  TimestampColumn,
} from './scalar-columns.ts';
import { ValueColumn } from './value-column.ts';

interface Field {
  name: string;
  /** With the zero byte at its end. */
  bytes: Buffer;
  column: BsonColumn;
  /** The last row with a value or null. */
  row: number;
}

export class DocumentDecoder {
  row = 0;
  private readonly fields: Field[];
  private readonly byName: Map<string, Field>;
  private chunk: Chunk = chunkOf(new ArrayBuffer(0));

  /** @param isOpen documents may have fields that the schema lacks */
  constructor(
    private readonly schema: Schema,
    batchRows: number,
    private readonly isOpen: boolean,
  ) {
    this.fields = schema.fields.map(({ name, type }) => {
      return { name, bytes: Buffer.from(`${name}\0`), column: columnFor(type, name, batchRows), row: -1 };
    });
    this.byName = new Map(this.fields.map((field) => [field.name, field]));
  }

  /** @throws TopoBenchError `TB_SOURCE_VALUE`, `TB_SOURCE_DAMAGED` */
  add(document: Uint8Array): void {
    // Documents of a reply share their memory.
    if (document.buffer !== this.chunk.bytes.buffer) this.chunk = chunkOf(document.buffer as ArrayBuffer);
    const { chunk, fields, row } = this;
    const { bytes, view } = chunk;
    const start = document.byteOffset;
    const last = start + document.length - 1;
    if (document.length < 5 || view.getInt32(start, true) !== document.length || bytes[last] !== 0) {
      throw damagedDocument(`a document of ${document.length} bytes has another length or no end`);
    }
    let at = start + 4;
    let next = 0;
    while (at < last) {
      const type = bytes[at++] as number;
      let field = fields[next];
      if (field && startsWith(bytes, at, last, field.bytes)) at += field.bytes.length;
      else {
        const end = bytes.indexOf(0, at);
        if (end < 0 || end >= last) throw damagedDocument('the name of a field is cut off');
        field = this.find(bytes.toString('utf8', at, end));
        at = end + 1;
      }
      const end = endOfValue(chunk, type, at, last);
      if (field) {
        if (field.row === row) throw unfitValue(field.name, 'a second value', 'one field of that name', 'remove one');
        next = fields.indexOf(field, next) + 1;
        field.row = row;
        if (type === bson.null || type === bson.undefined) field.column.setNull(row);
        else field.column.decode(chunk, type, at, end, row);
      }
      at = end;
    }
    for (const field of fields) if (field.row !== row) field.column.setNull(row);
    this.row++;
  }

  finish(): RecordBatch {
    const length = this.row;
    this.row = 0;
    for (const field of this.fields) field.row = -1;
    const children = this.fields.map(({ column }) => column.finish(length));
    const data = makeData({ type: new Struct(this.schema.fields), length, nullCount: 0, children });
    return new RecordBatch(this.schema, data);
  }

  private find(name: string): Field | undefined {
    const field = this.byName.get(name);
    if (field || this.isOpen) return field;
    const expected = 'no such field, since the first documents lack it';
    throw unfitValue(name, 'a value', expected, 'add it to the first document');
  }
}

function chunkOf(buffer: ArrayBuffer): Chunk {
  return { bytes: Buffer.from(buffer), view: new DataView(buffer) };
}

function startsWith(bytes: Buffer, at: number, end: number, name: Buffer): boolean {
  if (at + name.length > end) return false;
  for (let i = 0; i < name.length; i++) if (bytes[at + i] !== name[i]) return false;
  return true;
}

function columnFor(type: DataType, path: string, capacity: number): BsonColumn {
  switch (type.typeId) {
    case Type.Bool:
      return new BoolColumn(type, path);
    case Type.Utf8:
      return new TextColumn(type, path, capacity);
    case Type.Decimal:
      return new DecimalColumn(type as Decimal, path, capacity);
    case Type.Int:
      if (type.ArrayType === Int32Array) return new Int32Column(type, path, capacity);
      if (type.ArrayType === BigInt64Array) return new Int64Column(type, path, capacity);
      break;
    case Type.Float:
      if (type.ArrayType === Float64Array) return new Float64Column(type, path, capacity);
      break;
    case Type.Timestamp:
      if ((type as Timestamp).unit === TimeUnit.MICROSECOND) return new TimestampColumn(type, path, capacity);
      break;
  }
  return new ValueColumn(type, path);
}

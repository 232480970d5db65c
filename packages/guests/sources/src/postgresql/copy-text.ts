/** Rows of a record batch in the text format of COPY. */
import { clockText, dateText, timestampText } from '@topo-bench/core';
import { type Data, type DataType, type Field, type List, type RecordBatch, Type } from 'apache-arrow';
import { type Cell, cellReader } from '../rows/read-cells.ts';
import { unfitValue } from '../source-error.ts';

/** @returns writes the rows from one index to another, without the last */
export function copyTextOf(batch: RecordBatch): (start: number, end: number) => string {
  const columns = batch.data.children.map((data, place) => columnText(data, batch.schema.fields[place] as Field));
  return (start, end) => {
    let text = '';
    for (let row = start; row < end; row++) {
      for (let place = 0; place < columns.length; place++) {
        if (place > 0) text += '\t';
        text += (columns[place] as (row: number) => string)(row);
      }
      text += '\n';
    }
    return text;
  };
}

function columnText(data: Data, { name, type }: Field): (row: number) => string {
  const read = cellReader(data);
  const write = escapes(type) ? textWriter(type, name) : undefined;
  const plain = textOf(type, name);
  return (row) => {
    const cell = read(row);
    if (cell === null) return '\\N';
    return write ? write(cell) : plain(cell);
  };
}

/** Digits, signs and colons need no escapes. */
function escapes({ typeId }: DataType): boolean {
  return typeId === Type.Utf8 || typeId === Type.Binary || typeId === Type.List;
}

function textWriter(type: DataType, path: string): (cell: Cell) => string {
  const write = textOf(type, path);
  return (cell) => write(cell).replace(/[\\\t\n\r]/g, (found) => copyEscapes[found] as string);
}

const copyEscapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** The input form of a value, before the escapes of COPY. */
function textOf(type: DataType, path: string): (cell: Cell) => string {
  switch (type.typeId) {
    case Type.Bool:
      return (cell) => (cell ? 't' : 'f');
    case Type.Float:
      return (cell) => (Object.is(cell, -0) ? '-0' : String(cell));
    case Type.Date:
      return (cell) => dateText(cell as number);
    case Type.Time:
      return (cell) => clockText(cell as bigint);
    case Type.Timestamp:
      return (cell) => timestampText(cell as bigint, 'Z');
    case Type.Utf8:
      return (cell) => {
        if (!(cell as string).includes('\0')) return cell as string;
        throw unfitValue(path, cell, 'text without zero bytes', 'PostgreSQL has no zero bytes in text');
      };
    case Type.Binary:
      return (cell) => `\\x${Buffer.from(cell as Uint8Array).toString('hex')}`;
    case Type.List:
      return arrayText((type as List).children[0] as Field, path);
    default:
      return String;
  }
}

/** e.g. `{"a\"b",NULL}` */
function arrayText({ type }: Field, path: string): (cell: Cell) => string {
  const write = textOf(type, path);
  const quoted = (cell: Cell): string => `"${write(cell).replace(/["\\]/g, '\\$&')}"`;
  return (cell) => `{${(cell as readonly Cell[]).map((item) => (item === null ? 'NULL' : quoted(item))).join(',')}}`;
}

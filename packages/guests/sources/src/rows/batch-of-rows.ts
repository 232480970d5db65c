/** Turns the rows of any driver into a record batch. */
import { makeData, RecordBatch, type Schema, Struct } from 'apache-arrow';
import type { Row } from '../source.ts';
import { columnOfValues } from './column-of-values.ts';
import { memberReader } from './scalar-values.ts';

/** @throws TopoBenchError `TB_SOURCE_VALUE` for a value that the type of its column cannot represent */
export function batchOfRows(schema: Schema, rows: readonly Row[]): RecordBatch {
  const children = schema.fields.map(({ name, type }) => {
    const read = memberReader(name);
    const values = new Array<unknown>(rows.length);
    for (let i = 0; i < rows.length; i++) values[i] = read(rows[i] as Row);
    return columnOfValues(type, values, name);
  });
  const data = makeData({ type: new Struct(schema.fields), length: rows.length, nullCount: 0, children });
  return new RecordBatch(schema, data);
}

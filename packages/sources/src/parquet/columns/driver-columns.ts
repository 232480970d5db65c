/** Columns as the driver decodes them: JavaScript values, which are copied into the buffers of Arrow. */
import { type Data, type DataType, type Decimal, type Int32, makeData, Type } from 'apache-arrow';
import { type DecodedArray, type FileMetaData, parquetRead, parquetSchema, type SchemaElement } from 'hyparquet';
import { FixedBuilder } from '../../columns/column-builder.ts';
import { columnOfValues } from '../../rows/column-of-values.ts';
import { writeDecimal } from '../../rows/decimal-values.ts';
import { damaged } from '../../source-error.ts';
import { codecs } from '../codecs.ts';
import { exactParsers, type ParquetFile, withExactDecimals } from '../open-file.ts';
import type { RowRange } from '../read-rows.ts';

type Values = DecodedArray;

export interface DriverColumns {
  /** The rows of a column. */
  dataOf(name: string, type: DataType, from: number, to: number): Data;
}

/** Decimal columns are read as unscaled integers. Those within lists and documents stay as the rows have them. */
export function driverMetadata(metadata: FileMetaData): FileMetaData {
  const columns = new Set(parquetSchema(metadata).children.map(({ element }) => element));
  const exact = withExactDecimals(metadata);
  return {
    ...exact,
    schema: exact.schema.map((element, i) => {
      if (element.precision === undefined || !columns.has(metadata.schema[i] as SchemaElement)) return element;
      const { converted_type: _, logical_type: __, ...plain } = element;
      return plain;
    }),
  };
}

/** Reads some columns of a row group. @param file with the metadata of `driverMetadata` */
export async function readDriverColumns(
  { path, file, metadata }: Pick<ParquetFile, 'path' | 'file' | 'metadata'>,
  names: readonly string[],
  { rowStart, rowEnd }: RowRange,
): Promise<DriverColumns> {
  const columns = new Map<string, Values[]>(names.map((name) => [name, []]));
  if (names.length > 0) {
    await parquetRead({
      file,
      metadata,
      columns: [...names],
      rowStart,
      rowEnd,
      utf8: false,
      parsers: exactParsers,
      compressors: codecs,
      onChunk: ({ columnName, columnData }) => columns.get(columnName)?.push(columnData),
    }).catch((error: unknown) => {
      throw damaged(path, error);
    });
  }
  for (const [name, parts] of columns) requireRows(path, name, parts, rowEnd - rowStart);
  return { dataOf: (name, type, from, to) => dataOf(type, valuesOf(columns.get(name) ?? [], from, to), name) };
}

function requireRows(path: string, name: string, parts: readonly Values[], expected: number): void {
  const rows = parts.reduce((sum, { length }) => sum + length, 0);
  if (rows === expected) return;
  throw damaged(path, new Error(`column ${name} has ${rows} values in a row group, expected ${expected}`));
}

function dataOf(type: DataType, values: Values, name: string): Data {
  if (type.typeId === Type.Decimal) return decimals(type as Decimal, values, name);
  if (values instanceof Int32Array && type.typeId === Type.Int && type.ArrayType === Int32Array) {
    return makeData({ type: type as Int32, length: values.length, nullCount: 0, data: values });
  }
  return columnOfValues(type, values as unknown[], name);
}

/** The values of some rows; they are in several parts when some pages have no nulls. */
function valuesOf(parts: readonly Values[], from: number, to: number): Values {
  const [only] = parts;
  if (parts.length === 1 && only) return from === 0 && to === only.length ? only : only.slice(from, to);
  const values: unknown[] = [];
  let start = 0;
  for (const part of parts) {
    for (let i = Math.max(0, from - start); i < Math.min(part.length, to - start); i++) values.push(part[i]);
    start += part.length;
  }
  return values;
}

function decimals(type: Decimal, values: Values, name: string): Data<Decimal> {
  const builder = new FixedBuilder<Uint32Array, Decimal>(type, name, values.length, 4);
  const data = builder.values;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value === null || value === undefined) builder.setNull(i);
    else if (typeof value === 'number') {
      // Stores of a Uint32Array are modulo 2^32.
      data[4 * i] = value;
      if (value < 0) data[4 * i + 1] = data[4 * i + 2] = data[4 * i + 3] = -1;
    } else writeDecimal(data, i, type, value, name);
  }
  return builder.finish(values.length);
}

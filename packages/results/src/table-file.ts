/** A table as Parquet, for pandas, R, DuckDB and Arrow: numbers, truth values or texts by column, absent ones null. */
import { ByteWriter, parquetWrite } from 'hyparquet-writer';

type TableValue = string | number | boolean | null | undefined;

/** Bytes of a Parquet file (Snappy). A column of mixed values becomes text; NaN is null. */
export function encodeTable(header: readonly string[], rows: readonly (readonly TableValue[])[]): Uint8Array {
  const writer = new ByteWriter();
  parquetWrite({
    writer,
    createdBy: 'topo-bench',
    columnData: header.map((name, column) => {
      const values = rows.map((row) => presentOf(row[column]));
      const type = typeOf(values);
      const data = type === 'STRING' ? values.map((value) => (value === null ? null : String(value))) : values;
      return { name, data, type, nullable: true };
    }),
  });
  return new Uint8Array(writer.getBytes());
}

function presentOf(value: TableValue): string | number | boolean | null {
  return value === undefined || Number.isNaN(value) ? null : (value as string | number | boolean | null);
}

function typeOf(values: readonly (string | number | boolean | null)[]): 'DOUBLE' | 'BOOLEAN' | 'STRING' {
  const kinds = new Set(values.flatMap((value) => (value === null ? [] : [typeof value])));
  if (kinds.size !== 1) return 'STRING';
  return kinds.has('number') ? 'DOUBLE' : kinds.has('boolean') ? 'BOOLEAN' : 'STRING';
}

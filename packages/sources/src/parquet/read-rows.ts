/**
 * Rows of a Parquet file by row group. The driver decodes the columns of a group; rows are made for one batch at a
 * time, since the rows of a whole group would take several times the memory.
 */
import { type FileMetaData, parquetRead } from 'hyparquet';
import type { ReadRowsOptions, Row } from '../source.ts';
import { damaged } from '../source-error.ts';
import { codecs } from './codecs.ts';
import { exactParsers, type ParquetFile, withExactDecimals } from './open-file.ts';

type RowFile = Pick<ParquetFile, 'path' | 'file' | 'metadata'>;

/** @throws as `Source.rows` */
export async function* readRows(
  file: RowFile,
  { batchRows, limitRows = Number.POSITIVE_INFINITY }: ReadRowsOptions,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly Row[], void, void> {
  const exact = { ...file, metadata: withExactDecimals(file.metadata) };
  const names = rootNames(file.metadata);
  let left = limitRows;
  for (const range of readRanges(file.metadata)) {
    if (left <= 0) return;
    signal?.throwIfAborted();
    const columns = await columnsOf(exact, names, range);
    const count = Math.min(range.rowEnd - range.rowStart, left);
    left -= count;
    for (let first = 0; first < count; first += batchRows) {
      signal?.throwIfAborted();
      yield rowsOf(names, columns, first, Math.min(first + batchRows, count));
    }
  }
}

/** Rows that are decoded at a time, in a file with an index of its pages. */
const rangeRows = 25_000;

/** Parts of row groups. Without an index of its pages, a part of a group costs as much as the group. */
function readRanges(metadata: FileMetaData): RowRange[] {
  return rowGroupRanges(metadata).flatMap((range, group) => {
    const isIndexed = metadata.row_groups[group]?.columns.every((column) => column.offset_index_offset !== undefined);
    if (!isIndexed) return [range];
    const parts: RowRange[] = [];
    for (let rowStart = range.rowStart; rowStart < range.rowEnd; rowStart += rangeRows)
      parts.push({ rowStart, rowEnd: Math.min(rowStart + rangeRows, range.rowEnd) });
    return parts;
  });
}

export interface RowRange {
  rowStart: number;
  /** Exclusive. */
  rowEnd: number;
}

/** The rows of each row group. */
export function rowGroupRanges(metadata: FileMetaData): RowRange[] {
  let rowStart = 0;
  return metadata.row_groups.map(({ num_rows }) => {
    const range = { rowStart, rowEnd: rowStart + Number(num_rows) };
    rowStart = range.rowEnd;
    return range;
  });
}

/** Names of the columns; nested fields follow theirs in the list of elements. */
function rootNames({ schema }: FileMetaData): string[] {
  const names: string[] = [];
  for (let place = 1; place < schema.length; place = afterElement(schema, place))
    names.push((schema[place] as FileMetaData['schema'][number]).name);
  return names;
}

function afterElement(schema: FileMetaData['schema'], place: number): number {
  let next = place + 1;
  for (let left = schema[place]?.num_children ?? 0; left > 0; left--) next = afterElement(schema, next);
  return next;
}

/** The values of each column, in the order of the names. */
async function columnsOf(
  { path, file, metadata }: RowFile,
  names: readonly string[],
  { rowStart, rowEnd }: RowRange,
): Promise<ArrayLike<unknown>[]> {
  const parts = new Map<string, Part[]>(names.map((name) => [name, []]));
  await parquetRead({
    file,
    metadata,
    rowStart,
    rowEnd,
    useOffsetIndex: true,
    utf8: false,
    parsers: exactParsers,
    compressors: codecs,
    onChunk: (chunk) => parts.get(chunk.columnName)?.push(chunk),
  }).catch((error: unknown) => {
    throw damaged(path, error);
  });
  return names.map((name) => {
    const column = joined(parts.get(name) ?? [], { rowStart, rowEnd });
    if (column.length === rowEnd - rowStart) return column;
    const found = `${column.length} values of column ${name} in a row group`;
    throw damaged(path, new Error(`got ${found}, expected ${rowEnd - rowStart}`));
  });
}

interface Part {
  rowStart: number;
  columnData: ArrayLike<unknown>;
}

/** The values of a range. Pages may begin before it and end after it. */
function joined(parts: readonly Part[], { rowStart, rowEnd }: RowRange): ArrayLike<unknown> {
  const [only] = parts;
  if (parts.length === 1 && only?.rowStart === rowStart && only.columnData.length === rowEnd - rowStart)
    return only.columnData;
  const values: unknown[] = [];
  for (const part of [...parts].sort((a, b) => a.rowStart - b.rowStart)) {
    const end = Math.min(part.columnData.length, rowEnd - part.rowStart);
    for (let i = Math.max(0, rowStart - part.rowStart); i < end; i++) values.push(part.columnData[i]);
  }
  return values;
}

function rowsOf(names: readonly string[], columns: readonly ArrayLike<unknown>[], start: number, end: number): Row[] {
  const rows = new Array<Row>(end - start);
  for (let i = start; i < end; i++) {
    const row: Record<string, unknown> = {};
    for (let place = 0; place < names.length; place++)
      row[names[place] as string] = (columns[place] as ArrayLike<unknown>)[i];
    rows[i - start] = row;
  }
  return rows;
}

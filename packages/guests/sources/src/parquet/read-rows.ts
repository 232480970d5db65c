/**
 * Rows of a Parquet file. The driver decodes each page once, as far as the file has an index of its pages, and a row
 * group otherwise; rows are made for one batch at a time. Rows of a whole group would take several times the memory.
 */
import { groupedBy, TopoBenchError } from '@topo-bench/core';
import { type FileMetaData, type ParquetScan, parquetScan, readOffsetIndex } from 'hyparquet';
import { nullRow } from '../rows/null-row.ts';
import type { ReadRowsOptions, Row } from '../source.ts';
import { damaged } from '../source-error.ts';
import { withCheckedPages } from './checked-pages.ts';
import { codecs } from './codecs.ts';
import { exactParsers, type ParquetFile, withExactTypes } from './open-file.ts';

type RowFile = Pick<ParquetFile, 'path' | 'file' | 'metadata'>;

/** @throws as `Source.rows` */
export async function* readRows(
  { path, file, metadata }: RowFile,
  { batchRows, limitRows = Number.POSITIVE_INFINITY }: ReadRowsOptions,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly Row[], void, void> {
  const exact = { path, file, metadata: withExactTypes(metadata) };
  const columns = await Promise.all(
    [...columnFiles(exact)].map(async (one) => ({ ...one, scan: await openScan(one.source) })),
  );
  const names = columns.map(({ name }) => name);
  let left = limitRows;
  for (const [group, range] of rowGroupRanges(metadata).entries()) {
    if (left <= 0) return;
    const readers = await Promise.all(
      columns.map(({ name, source, scan }) => columnReader(source, scan, { name, group, range })),
    );
    let leftInGroup = Math.min(range.rowEnd - range.rowStart, left);
    left -= leftInGroup;
    while (leftInGroup > 0) {
      signal?.throwIfAborted();
      const count = Math.min(batchRows, maxBatchRows, leftInGroup);
      const values = await Promise.all(readers.map((take) => take(count)));
      yield rowsOf(names, values, count);
      leftInGroup -= count;
    }
  }
}

/** Rows that are made at a time: they are garbage before the collector moves them to where it looks less often. */
const maxBatchRows = 2048;

function openScan({ path, file, metadata }: RowFile): Promise<ParquetScan> {
  return parquetScan({ file, metadata, utf8: false, parsers: exactParsers, compressors: codecs }).catch(
    (error: unknown) => {
      throw damaged(path, error);
    },
  );
}

interface ColumnOfGroup {
  name: string;
  group: number;
  range: RowRange;
}

/** @returns a function that gives the next values of the column */
async function columnReader(
  source: RowFile,
  scan: ParquetScan,
  column: ColumnOfGroup,
): Promise<(count: number) => Promise<ArrayLike<unknown>>> {
  const pages = (await pagesOf(source, column)).values();
  let values: ArrayLike<unknown> = [];
  let next = 0;
  const decodePage = async (): Promise<void> => {
    const { value: page } = pages.next();
    if (page === undefined) throw new Error(`its index of column ${column.name} has fewer rows than the row group`);
    values = await scan.readColumn({ column: column.name, ...page });
    next = 0;
    const expected = page.rowEnd - page.rowStart;
    if (values.length === expected) return;
    throw new Error(`got ${values.length} values of column ${column.name} in a row group, expected ${expected}`);
  };
  return async (count) => {
    const taken: unknown[] = [];
    try {
      while (taken.length < count) {
        if (next === values.length) await decodePage();
        const end = Math.min(values.length, next + count - taken.length);
        while (next < end) taken.push(values[next++]);
      }
    } catch (error) {
      throw error instanceof TopoBenchError ? error : damaged(source.path, error);
    }
    return taken;
  };
}

/** The rows of each page of a column, by the pages of its first leaf; those of the row group without an index. */
async function pagesOf({ path, file, metadata }: RowFile, { name, group, range }: ColumnOfGroup): Promise<RowRange[]> {
  const chunk = metadata.row_groups[group]?.columns[0];
  const { num_values: values, path_in_schema: parts = [] } = chunk?.meta_data ?? {};
  // Damaged bytes would be decoded into as many values as they announce.
  if (parts.length === 1 && Number(values) !== range.rowEnd - range.rowStart) {
    throw damaged(
      path,
      new Error(`got ${values} values of column ${name} in a row group of ${range.rowEnd - range.rowStart} rows`),
    );
  }
  if (chunk?.offset_index_offset === undefined || chunk.offset_index_length === undefined) return [range];
  const start = Number(chunk.offset_index_offset);
  try {
    const bytes = await file.slice(start, start + chunk.offset_index_length);
    const { page_locations } = readOffsetIndex({ view: new DataView(bytes), offset: 0 });
    const starts = page_locations.map(({ first_row_index }) => range.rowStart + Number(first_row_index));
    return starts.map((rowStart, page) => ({ rowStart, rowEnd: starts[page + 1] ?? range.rowEnd }));
  } catch (error) {
    throw damaged(path, error);
  }
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

/**
 * The file of each column, as if it had no other: the driver plans all columns of a group for each of them, which
 * would take gigabytes for thousands.
 */
function* columnFiles({ path, file, metadata }: RowFile): Generator<{ name: string; source: RowFile }> {
  const { schema } = metadata;
  const [root] = schema as [FileMetaData['schema'][number]];
  const groups = metadata.row_groups.map(({ columns }) =>
    groupedBy(columns, (one) => one.meta_data?.path_in_schema?.[0]),
  );
  for (let place = 1; place < schema.length; ) {
    const next = afterElement(schema, place);
    const { name } = schema[place] as FileMetaData['schema'][number];
    const row_groups = metadata.row_groups.map((group, i) => ({ ...group, columns: groups[i]?.get(name) ?? [] }));
    const elements = [{ ...root, num_children: 1 }, ...schema.slice(place, next)];
    const ofColumn = { ...metadata, schema: elements, row_groups };
    yield { name, source: { path, file: withCheckedPages({ path, file }, ofColumn), metadata: ofColumn } };
    place = next;
  }
}

function afterElement(schema: FileMetaData['schema'], place: number): number {
  let next = place + 1;
  for (let left = schema[place]?.num_children ?? 0; left > 0; left--) next = afterElement(schema, next);
  return next;
}

function rowsOf(names: readonly string[], columns: readonly ArrayLike<unknown>[], count: number): Row[] {
  const rows = new Array<Row>(count);
  const nulls = nullRow(names);
  for (let i = 0; i < count; i++) {
    const row: Record<string, unknown> = { ...nulls };
    for (let place = 0; place < names.length; place++)
      row[names[place] as string] = (columns[place] as ArrayLike<unknown>)[i];
    rows[i] = row;
  }
  return rows;
}

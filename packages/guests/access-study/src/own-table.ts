/** User-supplied data, which is read where it is. */
import { access as accessFile, constants, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { systemErrorText, TopoBenchError } from '@topo-bench/core';
import { dataOfSource, openSource, type SourceTable } from '@topo-bench/sources';
import { type ExpectedTable, expectedOf } from './expected-table.ts';
import type { Access } from './settings-schema.ts';

type Own = NonNullable<Access['own']>;

/** The settings are checked: `own` has one field other than `dat`, that of its source. */
export function ownTable({ table, query, collection, file }: Own, url: string): SourceTable {
  if (file !== undefined) return { kind: 'parquet', file: resolve(file) };
  if (collection !== undefined) {
    const dot = collection.indexOf('.');
    return { kind: 'mongodb', url, database: collection.slice(0, dot), collection: collection.slice(dot + 1) };
  }
  return { kind: 'postgresql', url, ...(table !== undefined && { table }), ...(query !== undefined && { query }) };
}

/**
 * @param onProgress called with the number of rows so far
 * @throws TopoBenchError what the read throws
 */
export async function readOwn(
  table: SourceTable,
  signal: AbortSignal,
  onProgress: (rows: number) => void,
): Promise<ExpectedTable> {
  const source = await openSource(table, { signal });
  try {
    let rows = 0;
    return await expectedOf(
      (async function* () {
        for await (const batch of dataOfSource(source).batches()) {
          rows += batch.numRows;
          onProgress(rows);
          yield batch;
        }
      })(),
    );
  } finally {
    await source.close();
  }
}

/** @throws TopoBenchError `TB_FILE_NOT_FOUND` */
export async function requireOwnFile({ file, dat }: Own): Promise<void> {
  const path = file ?? dat;
  if (path === undefined) return;
  await requireFile(resolve(path)).catch((cause: unknown) => {
    const kind = file === undefined ? 'a .dat file of dsdgen' : 'a Parquet file';
    throw new TopoBenchError('TB_FILE_NOT_FOUND', `cannot open ${path}: ${systemErrorText(cause)}`, {
      hint: `give the path of ${kind}, relative to the working directory`,
      cause,
    });
  });
}

async function requireFile(path: string): Promise<void> {
  await accessFile(path, constants.R_OK);
  const found = await stat(path);
  if (found.isDirectory()) throw Object.assign(new Error(`${path} is a folder`), { code: 'EISDIR' });
  if (!found.isFile()) throw new Error('it is not a regular file');
}

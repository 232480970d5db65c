/** The number of rows of user-supplied data, where a file has it: for estimates of time. */

import { countParquetRows, estimateDatRows } from '@topo-bench/sources';
import { requireOwnFile } from './own-table.ts';
import type { Access } from './settings-schema.ts';

/**
 * @returns undefined for data on a server, whose rows are counted when they are read
 * @throws TopoBenchError `TB_FILE_NOT_FOUND`, `TB_SOURCE_DAMAGED`
 */
export async function ownRows(own: NonNullable<Access['own']>): Promise<number | undefined> {
  await requireOwnFile(own);
  if (own.file !== undefined) return countParquetRows(own.file);
  return own.dat === undefined ? undefined : estimateDatRows(own.dat);
}

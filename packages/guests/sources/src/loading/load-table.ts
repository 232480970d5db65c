/** Loads data into a table, a collection or a file, whole or not at all. */
import type { SourceTable } from '../source-table.ts';
import type { LoadOptions, LoadResult, TableData } from './table-data.ts';

/**
 * Replaces the table, if there is one. An interrupted load leaves the earlier table, if any, and nothing that looks
 * whole. A table with the same fingerprint and number of rows is kept.
 * @throws TopoBenchError `TB_SOURCE_LOAD`, `TB_SOURCE_DISK_FULL`, `TB_SOURCE_TYPE` for a column that the store cannot
 *   have, `TB_SOURCE_VALUE`, `TB_STORE_LOGIN`, `TB_STORE_UNREACHABLE`, `TB_STORE_URL`; the reason of the signal
 */
export async function loadTable(table: SourceTable, data: TableData, options: LoadOptions = {}): Promise<LoadResult> {
  options.signal?.throwIfAborted();
  switch (table.kind) {
    case 'postgresql':
      return (await import('../postgresql/load.ts')).loadPostgres(table, data, options);
    case 'mongodb':
      return (await import('../mongodb/load.ts')).loadMongo(table, data, options);
    case 'parquet':
      return (await import('../parquet/load.ts')).loadParquet(table, data, options);
  }
}

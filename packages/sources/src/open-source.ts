/** Opens a table with the driver of its store. Drivers load when they are used. */
import type { OpenSourceOptions, Source } from './source.ts';
import type { SourceTable } from './source-table.ts';

/**
 * @throws TopoBenchError `TB_STORE_URL`, `TB_STORE_UNREACHABLE`, `TB_STORE_LOGIN`, `TB_SOURCE_NOT_FOUND`,
 *   `TB_SOURCE_TYPE`, `TB_SOURCE_QUERY`, `TB_FILE_NOT_FOUND`, `TB_SOURCE_DAMAGED`
 */
export async function openSource(table: SourceTable, options: OpenSourceOptions = {}): Promise<Source> {
  options.signal?.throwIfAborted();
  switch (table.kind) {
    case 'postgresql':
      return (await import('./postgresql/source.ts')).openPostgresSource(table, options);
    case 'mongodb':
      return (await import('./mongodb/source.ts')).openMongoSource(table, options);
    case 'parquet':
      return (await import('./parquet/source.ts')).openParquetSource(table, options);
  }
}

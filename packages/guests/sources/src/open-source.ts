/** Opens a table with the driver of its store. Drivers load when they are used. */
import { TopoBenchError } from '@topo-bench/core';
import type { Field } from 'apache-arrow';
import type { OpenSourceOptions, Source } from './source.ts';
import type { SourceTable } from './source-table.ts';

/**
 * @throws TopoBenchError `TB_STORE_URL`, `TB_STORE_UNREACHABLE`, `TB_STORE_LOGIN`, `TB_SOURCE_NOT_FOUND`,
 *   `TB_SOURCE_TYPE`, `TB_SOURCE_QUERY`, `TB_FILE_NOT_FOUND`, `TB_SOURCE_DAMAGED`
 */
export async function openSource(table: SourceTable, options: OpenSourceOptions = {}): Promise<Source> {
  options.signal?.throwIfAborted();
  const source = await openStore(table, options);
  try {
    requireNames(source.schema, '');
    return source;
  } catch (error) {
    await source.close();
    throw error;
  }
}

async function openStore(table: SourceTable, options: OpenSourceOptions): Promise<Source> {
  switch (table.kind) {
    case 'postgresql':
      return (await import('./postgresql/source.ts')).openPostgresSource(table, options);
    case 'mongodb':
      return (await import('./mongodb/source.ts')).openMongoSource(table, options);
    case 'parquet':
      return (await import('./parquet/source.ts')).openParquetSource(table, options);
  }
}

/** Rows are objects by column name. @param parent path of a document; empty for a row */
function requireNames({ fields }: { fields: readonly Field[] }, parent: string): void {
  const seen = new Set<string>();
  for (const { name, type } of fields) {
    const path = `${parent}${name}`;
    const text = name === '__proto__' ? 'a name that no object can have' : 'two columns of one name';
    if (seen.has(name) || name === '__proto__') {
      const message = `column ${path}: got ${text}, expected a name of its own`;
      throw new TopoBenchError('TB_SOURCE_TYPE', message, { hint: 'rename it, in a query with AS' });
    }
    seen.add(name);
    requireNames({ fields: (type.children as Field[] | null) ?? [] }, `${path}.`);
  }
}

/** The place of a table. A URL may contain a password: it never leaves memory. */

export interface PostgresTable {
  kind: 'postgresql';
  url: string;
  /** Name as in SQL, e.g. `sales` or `shop.sales`. Either this or `query`. */
  table?: string;
  /** A SELECT without a trailing semicolon. */
  query?: string;
}

export interface MongoTable {
  kind: 'mongodb';
  url: string;
  database: string;
  collection: string;
}

export interface ParquetTable {
  kind: 'parquet';
  file: string;
}

export type SourceTable = PostgresTable | MongoTable | ParquetTable;
export type SourceKind = SourceTable['kind'];

/** The table in words, without address and password: for messages and results. */
export function nameOfTable(table: SourceTable): string {
  if (table.kind === 'parquet') return `file ${table.file}`;
  if (table.kind === 'mongodb') return `collection ${table.database}.${table.collection}`;
  return table.table === undefined ? 'the result of the query' : `table ${table.table}`;
}

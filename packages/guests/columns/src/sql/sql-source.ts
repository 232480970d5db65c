/** A read-only source of SQL query results: the port between a database and Flight SQL. */
import { TopoBenchError, type TopoBenchErrorOptions } from '@topo-bench/core/errors';

/** A column of a result, as PostgreSQL describes it. */
export interface SqlColumn {
  name: string;
  /** OID of the type in PostgreSQL's catalogue. */
  typeId: number;
  /** Type modifier, e.g. precision and scale; −1 for none. */
  modifier: number;
}

export interface SqlShape {
  columns: readonly SqlColumn[];
  /** Types of `$1`, `$2`, …, as the database inferred them. */
  parameterTypeIds: readonly number[];
}

/** Values as PostgreSQL prints them, in UTC and ISO style; null for NULL. */
export type SqlRow = readonly (string | null)[];

export interface SqlResult {
  columns: readonly SqlColumn[];
  /**
   * Rows in chunks, with back-pressure. Always iterate: breaking out cancels the query; a query that is never iterated
   * holds its connection until the timeout.
   */
  rows: AsyncIterable<readonly SqlRow[]>;
}

export interface SqlSource {
  /**
   * Describes the result of a query without running it.
   * @throws SqlFailure
   */
  describe(text: string, signal: AbortSignal): Promise<SqlShape>;
  /**
   * Runs one query.
   * @param values of its parameters, as PostgreSQL input text
   * @param signal cancels the query in the database
   * @throws SqlFailure, also from `rows`
   */
  run(text: string, values: SqlRow, signal: AbortSignal): Promise<SqlResult>;
  close(): Promise<void>;
}

/** Cause of the failure: the query, its permissions, its timeout, a cancellation, a value's size, or the database. */
export type SqlFailureKind = 'wrong' | 'denied' | 'timeout' | 'cancelled' | 'too-large' | 'unsupported' | 'unavailable';

/** A failed query. The message is the database's own, if any, with the position in the query. */
export class SqlFailure extends TopoBenchError {
  constructor(
    readonly kind: SqlFailureKind,
    message: string,
    options?: TopoBenchErrorOptions,
  ) {
    super('TB_SQL_QUERY', message, options);
  }
}

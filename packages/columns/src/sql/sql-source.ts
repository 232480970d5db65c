/**
 * A source that answers SQL queries and changes nothing: the port between a database and the protocol that serves its
 * answers.
 */
import { TopoBenchError, type TopoBenchErrorOptions } from '@topo-bench/core/errors';

/** A column of a result, as PostgreSQL describes it. */
export interface SqlColumn {
  name: string;
  /** Number of the type in PostgreSQL's catalogue (OID). */
  typeId: number;
  /** What the type was declared with, e.g. precision and scale; −1 for nothing. */
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
   * As many rows at a time as there are; a caller who does not ask holds the database back. To be taken, to its end
   * or not: leaving it ends the query, and one that is never begun waits until its time is over.
   */
  rows: AsyncIterable<readonly SqlRow[]>;
}

export interface SqlSource {
  /** Says what a query would give, without running it. @throws SqlFailure */
  describe(text: string, signal: AbortSignal): Promise<SqlShape>;
  /**
   * Runs one query.
   * @param values of its parameters, as PostgreSQL reads them
   * @param signal ends the query in the database
   * @throws SqlFailure, also from `rows`
   */
  run(text: string, values: SqlRow, signal: AbortSignal): Promise<SqlResult>;
  close(): Promise<void>;
}

/**
 * Whose doing it was: the text's, its rights, its time, the caller's patience, the size of a value, or the
 * database's.
 */
export type SqlFailureKind = 'wrong' | 'denied' | 'timeout' | 'cancelled' | 'too-large' | 'unsupported' | 'unavailable';

/** A query that was not answered; the message is the database's own where it has one, with the place in the text. */
export class SqlFailure extends TopoBenchError {
  constructor(
    readonly kind: SqlFailureKind,
    message: string,
    options?: TopoBenchErrorOptions,
  ) {
    super('TB_SQL_QUERY', message, options);
  }
}

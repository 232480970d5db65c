/** The errors of sources: what failed, and what to do. */
import { reportsFullDisk, TopoBenchError, withoutCredentials } from '@topo-bench/core';
import type { SourceTable } from './source-table.ts';

const messageOf = (cause: unknown): string =>
  withoutCredentials(cause instanceof Error ? cause.message : String(cause));

/** There is no such table, collection or column. */
export function notFound(what: string, hint: string): TopoBenchError {
  return new TopoBenchError('TB_SOURCE_NOT_FOUND', `${what} does not exist`, { hint });
}

/** A column's type has no Arrow type here. */
export function unmappedType(column: string, type: string, hint: string): TopoBenchError {
  return new TopoBenchError('TB_SOURCE_TYPE', `column ${column}: got type ${type}, which has no mapping to Arrow`, {
    hint,
  });
}

/** @param expected the column's type in words */
export function unfitValue(column: string, value: unknown, expected: string, hint?: string): TopoBenchError {
  const shown = typeof value === 'string' ? JSON.stringify(value) : String(value);
  const short = shown.length > 60 ? `${shown.slice(0, 57)}…` : shown;
  return new TopoBenchError('TB_SOURCE_VALUE', `column ${column}: got ${short}, expected ${expected}`, {
    hint: hint ?? 'cast the column in a query, or correct the value',
  });
}

/** The store ended before the last row. @param rows rows read before */
export function lost(what: string, rows: number, cause: unknown): TopoBenchError {
  const message = `${what}: the store ended the read after ${rows} rows: ${messageOf(cause)}`;
  return new TopoBenchError('TB_SOURCE_LOST', message, {
    hint: 'check the log of the server, and read again',
    cause,
  });
}

/** The store refuses the query or has failed in it. */
export function refusedQuery(what: string, cause: unknown): TopoBenchError {
  const hint = 'correct the query, or give its user the right to read the table';
  return new TopoBenchError('TB_SOURCE_QUERY', `cannot read ${what}: ${messageOf(cause)}`, { hint, cause });
}

/** A file ends early, or its contents contradict each other. */
export function damaged(what: string, cause: unknown): TopoBenchError {
  const hint = 'write or copy the file again; it may be truncated';
  return new TopoBenchError('TB_SOURCE_DAMAGED', `${what} cannot be read: ${messageOf(cause)}`, { hint, cause });
}

/** How the disk gets space for a table, by its kind. The caller knows more of a server that it started. */
const waysToSpace: Readonly<Record<SourceTable['kind'], string>> = {
  parquet: 'free space, load fewer rows, or name a larger folder for temporary files with TMPDIR',
  postgresql: 'free space on the disk of the database server, or load fewer rows',
  mongodb: 'free space on the disk of the database server, or load fewer rows',
};

/** A table cannot be loaded; nothing of it is left under its name. */
export function loadFailure(what: string, cause: unknown, kind: SourceTable['kind']): TopoBenchError {
  if (cause instanceof TopoBenchError) return cause;
  if (reportsFullDisk(cause)) {
    const message = `cannot load ${what}: the disk is full (${messageOf(cause)})`;
    return new TopoBenchError('TB_SOURCE_DISK_FULL', message, { hint: waysToSpace[kind], cause });
  }
  const hint = 'check the rights of the user and the log of the server';
  return new TopoBenchError('TB_SOURCE_LOAD', `cannot load ${what}: ${messageOf(cause)}`, { hint, cause });
}

/** Converts a PostgreSQL error of a query into an SqlFailure, with its place in the caller's text. */
import { SqlFailure, type SqlFailureKind } from '@topo-bench/columns/sql-source';
import type { DatabaseError } from 'pg';

/** @param text of the query */
export function queryFailure(error: unknown, text: string): SqlFailure {
  if (error instanceof SqlFailure) return error;
  const { code, message, detail, hint, position } = error as DatabaseError;
  const kind = kindOf(code, message);
  // Addresses, roles and files of the database are for its operator: the cause has them.
  if (kind === 'unavailable') return new SqlFailure(kind, 'the database cannot answer', { cause: error });
  const details = detail ? ` (${detail})` : '';
  const place = position ? `, ${placeOf(text, Number(position))}` : '';
  return new SqlFailure(kind, message + details + place, { cause: error, ...(hint && { hint }) });
}

/** @param position of a character, from 1 */
function placeOf(text: string, position: number): string {
  const before = [...text].slice(0, position - 1).join('');
  const lines = before.split('\n');
  return `at line ${lines.length}, column ${[...(lines.at(-1) as string)].length + 1}`;
}

const queryCanceled = '57014';
const deniedStates: readonly string[] = ['42501', '25006'];
const notSupported = '0A000';
/** A limit of the role, such as that of temporary files. */
const limitExceeded = '53400';
/** SQLSTATE classes: connection, log-in, database, resources, operator intervention, system error, internal error. */
const unavailableStates = /^(08|28|3D|53|57|58|XX)/;

function kindOf(state: string | undefined, message: string): SqlFailureKind {
  if (state === undefined || !/^[0-9A-Z]{5}$/.test(state)) return 'unavailable';
  if (state === queryCanceled) return message.includes('statement timeout') ? 'timeout' : 'cancelled';
  if (deniedStates.includes(state)) return 'denied';
  if (state === notSupported) return 'unsupported';
  if (state === limitExceeded) return 'too-large';
  return unavailableStates.test(state) ? 'unavailable' : 'wrong';
}

/** Failed statements: refused by the server, or cut off by the end of the connection. */
import { TopoBenchError } from '@topo-bench/core';
import { lost, refusedQuery } from '../source-error.ts';

/**
 * Errors of the server have an SQLSTATE, with a digit, unlike EPIPE. Classes 57 and 58, among others, and a closed
 * connection end reads from outside.
 */
export function readFailure(name: string, rows: number, error: unknown): Error {
  if (error instanceof TopoBenchError) return error;
  return isRefusal(error) ? refusedQuery(name, error) : lost(name, rows, error);
}

/** Whether the server answered and refused the statement. */
export function isRefusal(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  const isState = typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code);
  return isState && !/^(57|58|08|53|XX)/.test(code);
}

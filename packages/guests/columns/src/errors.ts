/** Maps errors of topo-bench to Flight statuses, and transport errors to codes of topo-bench. */
import { ArrowError, FlightError, type GrpcFailure } from '@topo-bench/arrow-flight';
import { TopoBenchError } from '@topo-bench/core';
import { SqlFailure, type SqlFailureKind } from './sql/sql-source.ts';

const statusOfSql: Readonly<Record<SqlFailureKind, GrpcFailure>> = {
  wrong: 'invalid-argument',
  denied: 'permission-denied',
  timeout: 'deadline-exceeded',
  cancelled: 'cancelled',
  'too-large': 'resource-exhausted',
  unsupported: 'unimplemented',
  unavailable: 'unavailable',
};

/** Flight status for an error of topo-bench; undefined for other errors. */
export function flightErrorOf(error: unknown): FlightError | undefined {
  if (!(error instanceof TopoBenchError)) return undefined;
  const options = { cause: error, ...(error.hint && { hint: error.hint }) };
  if (error instanceof SqlFailure) return new FlightError(statusOfSql[error.kind], error.message, options);
  if (error.code === 'TB_ARROW_DENIED') return new FlightError('permission-denied', error.message, options);
  if (error.code === 'TB_ARROW_UNSUPPORTED') return new FlightError('unimplemented', error.message, { cause: error });
  return undefined;
}

/** Maps a transport error to a TopoBenchError with the same message and hint. Returns other errors unchanged. */
export function topoBenchErrorOf(error: unknown): unknown {
  if (error instanceof FlightError) {
    return new TopoBenchError('TB_FLIGHT_CALL', error.message, {
      cause: error,
      ...(error.hint && { hint: error.hint }),
    });
  }
  if (error instanceof ArrowError) {
    const code = error.code === 'ARROW_MALFORMED' ? 'TB_ARROW_MALFORMED' : 'TB_ARROW_UNSUPPORTED';
    return new TopoBenchError(code, error.message, { cause: error, hint: error.hint });
  }
  return error;
}

/**
 * @param what the type or feature
 * @param hint the alternative
 */
export function unsupported(what: string, hint: string): TopoBenchError {
  return new TopoBenchError('TB_ARROW_UNSUPPORTED', `unsupported: ${what}`, { hint });
}

/** How a gRPC call ends: a code of the protocol's fixed list and, unless it is `ok`, an error with a message for people. */
import { TopoBenchError, type TopoBenchErrorOptions } from '@topo-bench/core/errors';
import { SqlFailure, type SqlFailureKind } from '@topo-bench/core/sql-source';

/** Codes of https://grpc.github.io/grpc/core/md_doc_statuscodes.html. */
export const grpcCodes = {
  ok: 0,
  cancelled: 1,
  unknown: 2,
  'invalid-argument': 3,
  'deadline-exceeded': 4,
  'not-found': 5,
  'already-exists': 6,
  'permission-denied': 7,
  'resource-exhausted': 8,
  'failed-precondition': 9,
  aborted: 10,
  'out-of-range': 11,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  'data-loss': 15,
  unauthenticated: 16,
} as const;

export type GrpcStatus = keyof typeof grpcCodes;
export type GrpcFailure = Exclude<GrpcStatus, 'ok'>;

/** A call that did not succeed: thrown by a handler to say so, and by a client that was told so. */
export class FlightError extends TopoBenchError {
  readonly status: GrpcFailure;

  constructor(status: GrpcFailure, message: string, options?: TopoBenchErrorOptions) {
    super('TB_FLIGHT_CALL', message, options);
    this.status = status;
  }
}

const failureOfCode = new Map(Object.entries(grpcCodes).map(([name, code]) => [code as number, name as GrpcStatus]));

/** Codes beyond the list read as `unknown`, as the protocol asks. */
export function statusOfCode(code: number): GrpcStatus {
  return failureOfCode.get(code) ?? 'unknown';
}

const statusOfSql: Readonly<Record<SqlFailureKind, GrpcFailure>> = {
  wrong: 'invalid-argument',
  denied: 'permission-denied',
  timeout: 'deadline-exceeded',
  cancelled: 'cancelled',
  'too-large': 'resource-exhausted',
  unsupported: 'unimplemented',
  unavailable: 'unavailable',
};

/** Any error as the one that the other side is told. Bad data is the sender's fault; all else is ours. */
export function asFlightError(error: unknown): FlightError {
  if (error instanceof FlightError) return error;
  if (error instanceof SqlFailure) {
    return new FlightError(statusOfSql[error.kind], error.message, { cause: error, ...(error.hint ? { hint: error.hint } : {}) });
  }
  if (error instanceof TopoBenchError && error.code === 'TB_ARROW_MALFORMED') {
    return new FlightError('invalid-argument', error.message, { cause: error });
  }
  if (error instanceof TopoBenchError && error.code === 'TB_ARROW_UNSUPPORTED') {
    return new FlightError('unimplemented', error.message, { cause: error });
  }
  if (error instanceof TopoBenchError && error.code === 'TB_ARROW_DENIED') {
    return new FlightError('permission-denied', error.message, { cause: error, ...(error.hint ? { hint: error.hint } : {}) });
  }
  return new FlightError('internal', error instanceof Error ? error.message : String(error), { cause: error });
}

/** HTTP answers of what is no gRPC server (gRPC over HTTP/2, "HTTP2 error code mapping"). */
export function statusOfHttp(httpStatus: number): GrpcFailure {
  if (httpStatus === 400) return 'internal';
  if (httpStatus === 401) return 'unauthenticated';
  if (httpStatus === 403) return 'permission-denied';
  if (httpStatus === 404) return 'unimplemented';
  return [429, 502, 503, 504].includes(httpStatus) ? 'unavailable' : 'unknown';
}

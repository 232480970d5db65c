/**
 * The errors of this package. `FlightError`: a call ended with a status of gRPC. `ArrowError`: Arrow data is damaged,
 * or uses what is not supported.
 */
import type { GrpcFailure } from './grpc/codes.ts';

export interface FlightErrorOptions {
  /** What the reader of the message can do, in the imperative. */
  hint?: string;
  cause?: unknown;
}

/** A call that failed: thrown by a handler to end its call with a status, and by a client whose call ended with one. */
export class FlightError extends Error {
  override readonly name = 'FlightError';
  readonly code = 'FLIGHT_CALL';
  readonly hint: string | undefined;

  constructor(
    readonly status: GrpcFailure,
    message: string,
    { hint, cause }: FlightErrorOptions = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.hint = hint;
  }
}

/**
 * `ARROW_MALFORMED`: the data is cut, damaged or contradicts itself. `ARROW_UNSUPPORTED`: it uses a type or feature
 * that is not supported.
 */
export type ArrowErrorCode = 'ARROW_MALFORMED' | 'ARROW_UNSUPPORTED';

export class ArrowError extends Error {
  override readonly name = 'ArrowError';

  constructor(
    readonly code: ArrowErrorCode,
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }
}

/** @param finding what is wrong, with the value received and what was expected */
export function malformed(finding: string): ArrowError {
  return new ArrowError(
    'ARROW_MALFORMED',
    `the Arrow data is broken: ${finding}`,
    'it was cut, damaged on its way, or written by a faulty writer; no part of the message was used',
  );
}

/** @param what the type or feature; @param hint what works instead */
export function unsupported(what: string, hint: string): ArrowError {
  return new ArrowError('ARROW_UNSUPPORTED', `${what} cannot be read or written here`, hint);
}

/**
 * Any error as the status that the peer receives: malformed data is the sender's fault, every unknown error is
 * internal.
 */
export function asFlightError(error: unknown): FlightError {
  if (error instanceof FlightError) return error;
  if (error instanceof ArrowError) {
    const status = error.code === 'ARROW_MALFORMED' ? 'invalid-argument' : 'unimplemented';
    return new FlightError(status, error.message, { cause: error });
  }
  return new FlightError('internal', error instanceof Error ? error.message : String(error), { cause: error });
}

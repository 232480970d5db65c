/**
 * Errors of this package. `FlightError`: a call ended with a gRPC status. `ArrowError`: malformed or unsupported Arrow
 * data.
 */
import type { GrpcFailure } from './grpc/codes.ts';

export interface FlightErrorOptions {
  /** Suggested action, in the imperative. */
  hint?: string;
  cause?: unknown;
}

/**
 * A failed call. A handler throws it to end its call with a status; a client throws it when its call ended with one.
 */
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
 * `ARROW_MALFORMED`: the data is truncated, damaged or contradictory. `ARROW_UNSUPPORTED`: it uses an unsupported type
 * or feature.
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

/** @param finding the problem, with the received and the expected value */
export function malformed(finding: string): ArrowError {
  return new ArrowError(
    'ARROW_MALFORMED',
    `malformed Arrow data: ${finding}`,
    'check the writer and the transport: the data is truncated or damaged, and no part of the message was used',
  );
}

/**
 * @param what the type or feature
 * @param hint the alternative
 */
export function unsupported(what: string, hint: string): ArrowError {
  return new ArrowError('ARROW_UNSUPPORTED', `unsupported: ${what}`, hint);
}

/** Maps any error to the status for the peer. Malformed data is the sender's fault; unknown errors are internal. */
export function asFlightError(error: unknown): FlightError {
  if (error instanceof FlightError) return error;
  if (error instanceof ArrowError) {
    const status = error.code === 'ARROW_MALFORMED' ? 'invalid-argument' : 'unimplemented';
    return new FlightError(status, error.message, { cause: error });
  }
  return new FlightError('internal', error instanceof Error ? error.message : String(error), { cause: error });
}

/** Flight statuses for the errors of sources. */
import { FlightError, type GrpcFailure } from '@topo-bench/arrow-flight';
import { TopoBenchError } from '@topo-bench/core';

const statuses: Readonly<Record<string, GrpcFailure>> = {
  TB_SOURCE_NOT_FOUND: 'not-found',
  TB_SOURCE_TYPE: 'unimplemented',
  TB_SOURCE_VALUE: 'out-of-range',
  TB_SOURCE_QUERY: 'invalid-argument',
  TB_SOURCE_LOST: 'unavailable',
  TB_SOURCE_DAMAGED: 'data-loss',
  TB_STORE_UNREACHABLE: 'unavailable',
};

/** @returns undefined for other errors, which end a call as `internal` */
export function flightErrorOf(error: unknown): FlightError | undefined {
  if (!(error instanceof TopoBenchError)) return undefined;
  const status = statuses[error.code];
  if (status === undefined) return undefined;
  return new FlightError(status, error.message, { cause: error, ...(error.hint && { hint: error.hint }) });
}

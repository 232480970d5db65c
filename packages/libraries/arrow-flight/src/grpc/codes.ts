/** gRPC status codes, and their mapping from wire codes and HTTP statuses. */

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

const failureOfCode = new Map(Object.entries(grpcCodes).map(([name, code]) => [code as number, name as GrpcStatus]));

/** Unlisted codes become `unknown`, as the protocol requires. */
export function statusOfCode(code: number): GrpcStatus {
  return failureOfCode.get(code) ?? 'unknown';
}

/** Status for a response of a non-gRPC server (gRPC over HTTP/2, "HTTP2 error code mapping"). */
export function statusOfHttp(httpStatus: number): GrpcFailure {
  if (httpStatus === 400) return 'internal';
  if (httpStatus === 401) return 'unauthenticated';
  if (httpStatus === 403) return 'permission-denied';
  if (httpStatus === 404) return 'unimplemented';
  return [429, 502, 503, 504].includes(httpStatus) ? 'unavailable' : 'unknown';
}

/**
 * Kinds of failed requests, shared by samples, cells and `docs/load.md`. A response gives `http-<status>`; without one,
 * the kind is a name of the fixed list below. Columns store its index.
 */
import { tlsProblem } from './open/tls-problem.ts';
import type { Samples } from './samples.ts';

/** Index 0 is "no error". */
export const errorKinds = [
  'none',
  'connection-refused',
  'connection-reset',
  'connection-failed',
  'timeout',
  'protocol',
  'in-flight-cap',
  'other',
] as const;
export type ErrorKind = (typeof errorKinds)[number];

/** The first error of each kind in words. */
export type ErrorExamples = Partial<Record<ErrorKind, string>>;

const kindByCode: Readonly<Record<string, ErrorKind>> = {
  ECONNREFUSED: 'connection-refused',
  ECONNRESET: 'connection-reset',
  EPIPE: 'connection-reset',
  UND_ERR_SOCKET: 'connection-reset',
  EADDRNOTAVAIL: 'connection-failed',
  EHOSTUNREACH: 'connection-failed',
  ENETUNREACH: 'connection-failed',
  ENOTFOUND: 'connection-failed',
  EMFILE: 'connection-failed',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
};

/** Kind of an error thrown by a client or socket. */
export function errorKindOf(error: unknown): ErrorKind {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code.startsWith('HPE_')) return 'protocol';
  return kindByCode[code] ?? (tlsProblem(error) ? 'connection-failed' : 'other');
}

/** The number of a kind in columns. */
export function errorNumber(kind: ErrorKind): number {
  return errorKinds.indexOf(kind);
}

/** Kind of the failed request of a row: the reason for the missing response, or `http-<status>`. */
export function failureKind({ error, status }: Pick<Samples, 'error' | 'status'>, row: number): string {
  const kind = error[row] as number;
  return kind === 0 ? httpErrorKind(status[row] as number) : (errorKinds[kind] ?? 'other');
}

export type HttpErrorKind = `http-${number}`;

/** Kind of a failed request with a response of this status. */
export function httpErrorKind(status: number): HttpErrorKind {
  return `http-${status}`;
}

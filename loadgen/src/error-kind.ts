/** Why a request got no response: a fixed list, so that columns hold a small number that means the same in every process. */

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

/** Kind of what a client or socket threw. */
export function errorKindOf(error: unknown): ErrorKind {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return kindByCode[code] ?? (code.startsWith('HPE_') ? 'protocol' : 'other');
}

/** The number that columns hold for a kind. */
export function errorNumber(kind: ErrorKind): number {
  return errorKinds.indexOf(kind);
}

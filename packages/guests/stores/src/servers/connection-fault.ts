/**
 * Why a connection to a server failed, in the words of a user. Drivers have texts of their own for it, some of them
 * empty, and wrap the error of the system in others.
 */

export interface ConnectionFault {
  /** Follows the address that was tried: `the connection was refused`. */
  text: string;
  /** In the imperative. */
  hint: string;
}

interface Row extends ConnectionFault {
  codes: readonly string[];
  /** For texts without a code. */
  pattern?: RegExp;
}

const certificateHint =
  'name the authority that signed it, or the right host name, in the options of the address; or connect without TLS';

const rows: readonly Row[] = [
  {
    codes: ['ECONNREFUSED'],
    text: 'the connection was refused: nothing listens there',
    hint: 'start the server, or correct host and port',
  },
  {
    codes: ['ENOTFOUND', 'EAI_NONAME', 'EAI_NODATA'],
    pattern: /no host could be resolved/i,
    text: 'the host name is unknown',
    hint: 'correct the host name',
  },
  {
    codes: ['EAI_AGAIN'],
    text: 'the host name cannot be resolved at present',
    hint: 'correct the host name, or check the name server of this machine',
  },
  {
    codes: ['EHOSTUNREACH', 'ENETUNREACH'],
    text: 'no route leads to the host',
    hint: 'correct the address, or connect to the network of the server',
  },
  { codes: ['ENOENT'], text: 'there is no such socket', hint: 'start the server, or correct the path of its socket' },
  { codes: ['EACCES', 'EPERM'], text: 'permission denied', hint: 'use a user that may open its socket' },
  {
    codes: ['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN'],
    text: 'TLS failed: its certificate is self-signed',
    hint: certificateHint,
  },
  {
    codes: ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
    text: 'TLS failed: its certificate is of an unknown authority',
    hint: certificateHint,
  },
  {
    codes: ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'],
    text: 'TLS failed: its certificate is not valid at present',
    hint: 'renew the certificate of the server, or correct the clock of this machine',
  },
  {
    codes: ['ERR_TLS_CERT_ALTNAME_INVALID'],
    text: 'TLS failed: its certificate is for another host name',
    hint: certificateHint,
  },
  {
    codes: ['HANDSHAKE_NO_SSL_SUPPORT'],
    pattern: /does not support (?:SSL|secure)/i,
    text: 'TLS failed: the server offers none',
    hint: 'leave TLS out of the options of the address, or switch it on in the server',
  },
  {
    codes: ['EPROTO', 'HANDSHAKE_SSL_ERROR'],
    pattern: /\bSSL routines\b|\bTLS connection was established\b|establishing an SSL connection/,
    text: 'TLS failed: no encrypted connection was agreed on',
    hint: 'correct host, port and the options of TLS in the address',
  },
  {
    codes: ['ETIMEDOUT', 'PROTOCOL_SEQUENCE_TIMEOUT', 'ESOCKETTIMEDOUT'],
    pattern: /\btime(?:d )?-?out\b|no answer within/i,
    text: 'it did not answer in time',
    hint: 'start the server, or correct host and port; a firewall may drop the connection',
  },
  {
    codes: ['ECONNRESET', 'EPIPE', 'PROTOCOL_CONNECTION_LOST'],
    pattern: /terminated unexpectedly|closed unexpectedly|socket hang up|connection .*closed|connection lost/i,
    text: 'the connection was closed before an answer',
    hint: 'check that the port is that of such a server, and whether it wants TLS',
  },
];

/** @returns undefined for an error that is none of a connection, e.g. the answer of a server */
export function connectionFault(error: unknown): ConnectionFault | undefined {
  const errors = [...chainOf(error)];
  const isAnswered = errors.some(isAnswer);
  return rows.find(({ codes, pattern }) =>
    errors.some((one) => codes.some((code) => hasCode(one, code)) || (!isAnswered && pattern?.test(one.message))),
  );
}

/** Some clients keep the text of the system alone. */
function hasCode({ code, message }: Error & { code?: unknown }, wanted: string): boolean {
  return code === wanted || new RegExp(`\\b${wanted}\\b`).test(message);
}

/** Numbers are codes of MongoDB, five characters those of SQL; words before the text are those of Redis. */
function isAnswer({ code, message }: Error & { code?: unknown }): boolean {
  const isOfSql = /^(?=.*\d)[0-9A-Z]{5}$|^ER_/.test(String(code));
  return (
    typeof code === 'number' || isOfSql || /^(ERR|LOADING|MASTERDOWN|MISCONF|NOAUTH|READONLY|WRONG\w+) /.test(message)
  );
}

/** The error, and those that it wraps: causes, those of several addresses, and those of the servers of a cluster. */
function* chainOf(error: unknown, depth = 0): Generator<Error> {
  if (!(error instanceof Error) || depth > 5) return;
  const {
    cause,
    errors = [],
    reason,
  } = error as Error & {
    errors?: readonly unknown[];
    reason?: { servers?: ReadonlyMap<string, { error?: unknown }> };
  };
  const ofServers = [...(reason?.servers?.values() ?? [])].map(({ error: own }) => own);
  for (const inner of [...errors, ...ofServers, cause]) yield* chainOf(inner, depth + 1);
  yield error;
}

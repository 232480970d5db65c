/** Failed TLS handshakes in words: what is wrong with the certificate, and what the user can do. */

const problems: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the authority of its certificate is not trusted here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the issuer of its certificate is unknown here',
  UNABLE_TO_GET_ISSUER_CERT: 'the issuer of its certificate is unknown here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the issuer of its certificate is unknown here',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

/** What helps without `--insecure`, where the name of an issuer does not. */
const otherWays: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'renew it',
  CERT_NOT_YET_VALID: 'set the clock of this machine',
  ERR_TLS_CERT_ALTNAME_INVALID: 'write a host of its certificate in the URL',
};

export interface TlsProblem {
  text: string;
  hint: string;
}

/** @returns undefined for other errors than those of a handshake */
export function tlsProblem(error: unknown): TlsProblem | undefined {
  // OpenSSL has its own text in the reason.
  const { code = '', message, reason = message } = error as NodeJS.ErrnoException & { reason?: string };
  const text = problems[code] ?? (code.startsWith('CERT_') ? message : undefined);
  if (text !== undefined) {
    const way = otherWays[code] ?? 'name a file with its issuer by --ca or NODE_EXTRA_CA_CERTS';
    return { text, hint: `${way}, or check no certificate with --insecure` };
  }
  if (code !== 'EPROTO' && !code.startsWith('ERR_SSL_')) return undefined;
  return { text: `no TLS handshake: ${reason.trim()}`, hint: 'write http:// where the server speaks no TLS' };
}

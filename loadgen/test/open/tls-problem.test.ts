import { expect, it } from 'vitest';
import { tlsProblem } from '../../src/open/tls-problem.ts';

const error = (code: string, message = code) => Object.assign(new Error(message), { code });

it.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is self-signed', '--insecure'],
  ['CERT_HAS_EXPIRED', 'its certificate has expired', 'renew it, or check no certificate with --insecure'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another host', 'write a host of its certificate in the URL'],
  ['CERT_REVOKED', 'CERT_REVOKED', '--insecure'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'no TLS handshake: ERR_SSL_WRONG_VERSION_NUMBER', 'http://'],
])('a handshake that failed with %s has its problem and a way on', (code, text, way) => {
  expect(tlsProblem(error(code))).toEqual({ text, hint: expect.stringContaining(way) });
});

it('an error of the socket is no problem of TLS', () => {
  expect(tlsProblem(error('ECONNREFUSED'))).toBeUndefined();
});

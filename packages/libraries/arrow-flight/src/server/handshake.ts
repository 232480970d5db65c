/** The Handshake verb: exchanges user and password for a token. */
import { FlightError } from '../errors.ts';
import type { ServerCall } from '../grpc/server-call.ts';
import { type BasicAuth, decodeBasicAuth, decodeHandshake, encodeHandshake } from '../protocol/small-messages.ts';
import { type Authentication, basicCredentials } from './authentication.ts';

/** Name and password are short. */
export const maxHandshakeBytes = 16_384;

/** @throws FlightError `unauthenticated`; `unimplemented` without authentication */
export async function handshake(call: ServerCall, authentication: Authentication | undefined): Promise<void> {
  if (!authentication) throw new FlightError('unimplemented', 'this server does not require a login');
  const basic = basicCredentials(call.headers);
  const { user, password } = basic ?? (await readCredentials(call));
  const token = await authentication.logIn(user, password, call.peer);
  if (basic) call.responseHeaders.authorization = `Bearer ${token}`;
  await call.outgoing.send(encodeHandshake({ protocolVersion: 0, payload: Buffer.from(basic ? '' : token, 'utf8') }));
}

async function readCredentials(call: ServerCall): Promise<BasicAuth> {
  const { value, done } = await call.incoming.next();
  if (done) throw new FlightError('unauthenticated', 'the handshake has no user and password');
  return decodeBasicAuth(decodeHandshake(value).payload);
}

/** The Handshake verb: exchanges user and password for a token. */
import { FlightError } from '../errors.ts';
import type { ServerCall } from '../grpc/server-call.ts';
import { decodeBasicAuth, decodeHandshake, encodeHandshake } from '../protocol/small-messages.ts';
import { type Authentication, basicCredentials } from './authentication.ts';

/** @throws FlightError `unauthenticated`; `unimplemented` without authentication */
export async function handshake(call: ServerCall, authentication: Authentication | undefined): Promise<void> {
  if (!authentication) throw new FlightError('unimplemented', 'this server does not require a login');
  const basic = basicCredentials(call.headers);
  if (basic) {
    call.responseHeaders.authorization = `Bearer ${await authentication.logIn(basic.user, basic.password, call.peer)}`;
    await call.outgoing.send(encodeHandshake({ protocolVersion: 0, payload: new Uint8Array(0) }));
    return;
  }
  const { value, done } = await call.incoming.next();
  if (done) throw new FlightError('unauthenticated', 'the handshake has no user and password');
  const { user, password } = decodeBasicAuth(decodeHandshake(value).payload);
  const token = await authentication.logIn(user, password, call.peer);
  await call.outgoing.send(encodeHandshake({ protocolVersion: 0, payload: Buffer.from(token, 'utf8') }));
}

/** Binds the verbs of a FlightService to gRPC: decodes the request, runs the verb, sends its results. */
import { FlightError } from '../errors.ts';
import type { GrpcHandler, GrpcMethod } from '../grpc/grpc-server.ts';
import type { ServerCall } from '../grpc/server-call.ts';
import { decodeDescriptor } from '../protocol/descriptor.ts';
import { findBody } from '../protocol/flight-data.ts';
import { encodeFlightInfo } from '../protocol/flight-info.ts';
import { encodeSchemaResult } from '../protocol/schema-message.ts';
import {
  type BasicAuth,
  decodeAction,
  decodeBasicAuth,
  decodeHandshake,
  decodeSingleBytes,
  encodeActionType,
  encodeHandshake,
  encodeSingleBytes,
} from '../protocol/small-messages.ts';
import { type Authentication, basicCredentials } from './authentication.ts';
import { serveExchange, servePut } from './data-verbs.ts';
import type { CallContext, FlightService } from './flight-service.ts';
import { sendMany, sendStream } from './send-many.ts';

const servicePath = '/arrow.flight.protocol.FlightService/';

type Verb = (call: ServerCall, context: CallContext) => Promise<void>;

/** gRPC methods by path; missing verbs are omitted. */
export function methodsOf(service: FlightService, authentication: Authentication | undefined): Map<string, GrpcMethod> {
  const methods = new Map<string, GrpcMethod>();
  const add = (name: string, verb: Verb, findAligned?: GrpcMethod['findAligned']): void => {
    const handle = authenticated(verb, authentication);
    methods.set(servicePath + name, { handle, ...(findAligned ? { findAligned } : {}) });
  };
  methods.set(`${servicePath}Handshake`, {
    handle: (call) => call.untilLogin(handshake(call, authentication)),
    maxMessageBytes: maxHandshakeBytes,
  });
  addMetadataVerbs(service, add);
  const { doGet, doPut, doExchange } = service;
  if (doGet) {
    add('DoGet', async (call, context) => {
      const ticket = decodeSingleBytes(await onlyMessage(call));
      await sendStream(call, await doGet.call(service, ticket, context));
    });
  }
  if (doPut)
    add('DoPut', (call, context) => servePut(call, (upload) => doPut.call(service, upload, context)), findBody);
  if (doExchange) {
    add(
      'DoExchange',
      (call, context) => serveExchange(call, (exchange) => doExchange.call(service, exchange, context)),
      findBody,
    );
  }
  return methods;
}

function addMetadataVerbs(service: FlightService, add: (name: string, verb: Verb) => void): void {
  const { listFlights, getFlightInfo, getSchema, doAction, listActions } = service;
  if (listFlights) {
    add('ListFlights', async (call, context) => {
      const criteria = decodeSingleBytes(await onlyMessage(call));
      await sendMany(call, listFlights.call(service, criteria, context), encodeFlightInfo);
    });
  }
  if (getFlightInfo) {
    add('GetFlightInfo', async (call, context) => {
      const info = await getFlightInfo.call(service, decodeDescriptor(await onlyMessage(call)), context);
      await call.outgoing.send(encodeFlightInfo(info));
    });
  }
  if (getSchema) {
    add('GetSchema', async (call, context) => {
      const schema = await getSchema.call(service, decodeDescriptor(await onlyMessage(call)), context);
      await call.outgoing.send(encodeSchemaResult(schema));
    });
  }
  if (doAction) {
    add('DoAction', async (call, context) => {
      await sendMany(call, doAction.call(service, decodeAction(await onlyMessage(call)), context), encodeSingleBytes);
    });
  }
  if (listActions) {
    add('ListActions', async (call, context) => {
      await onlyMessage(call);
      await sendMany(call, listActions.call(service, context), encodeActionType);
    });
  }
}

function authenticated(verb: Verb, authentication: Authentication | undefined): GrpcHandler {
  return async (call) => {
    const user = authentication && (await call.untilLogin(authentication.userOf(call.headers, call.peer)));
    await verb(call, { signal: call.signal, user, headers: call.headers, peer: call.peer });
  };
}

/** The single request of a call. */
async function onlyMessage(call: ServerCall): Promise<Uint8Array> {
  const { value, done } = await call.incoming.next();
  if (done) throw new FlightError('invalid-argument', 'the call has no request');
  return value;
}

/** Name and password are short. */
const maxHandshakeBytes = 16_384;

/** @throws FlightError `unauthenticated`; `unimplemented` without authentication */
async function handshake(call: ServerCall, authentication: Authentication | undefined): Promise<void> {
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

/** The small messages of Flight: handshake, actions, criteria and acknowledgements. */
import { bytesOf, intOf, MessageWriter, readFields, textOf } from './wire.ts';

export interface Handshake {
  protocolVersion: number;
  payload: Uint8Array;
}

/** The payload of a handshake by user name and password. */
export interface BasicAuth {
  user: string;
  password: string;
}

export interface FlightAction {
  type: string;
  body: Uint8Array;
}

export interface FlightActionType {
  type: string;
  description: string;
}

const nothing = new Uint8Array(0);

export function encodeHandshake({ protocolVersion, payload }: Handshake): Uint8Array {
  return new MessageWriter().int(1, protocolVersion).bytes(2, payload).finish();
}

export function decodeHandshake(message: Uint8Array): Handshake {
  const handshake: Handshake = { protocolVersion: 0, payload: nothing };
  for (const field of readFields(message)) {
    if (field.number === 1) handshake.protocolVersion = Number(intOf(field));
    else if (field.number === 2) handshake.payload = bytesOf(field);
  }
  return handshake;
}

export function encodeBasicAuth({ user, password }: BasicAuth): Uint8Array {
  return new MessageWriter().text(2, user).text(3, password).finish();
}

export function decodeBasicAuth(message: Uint8Array): BasicAuth {
  const auth: BasicAuth = { user: '', password: '' };
  for (const field of readFields(message)) {
    if (field.number === 2) auth.user = textOf(field);
    else if (field.number === 3) auth.password = textOf(field);
  }
  return auth;
}

export function encodeAction({ type, body }: FlightAction): Uint8Array {
  return new MessageWriter().text(1, type).bytes(2, body).finish();
}

export function decodeAction(message: Uint8Array): FlightAction {
  const action: FlightAction = { type: '', body: nothing };
  for (const field of readFields(message)) {
    if (field.number === 1) action.type = textOf(field);
    else if (field.number === 2) action.body = bytesOf(field);
  }
  return action;
}

export function encodeActionType({ type, description }: FlightActionType): Uint8Array {
  return new MessageWriter().text(1, type).text(2, description).finish();
}

export function decodeActionType(message: Uint8Array): FlightActionType {
  const actionType: FlightActionType = { type: '', description: '' };
  for (const field of readFields(message)) {
    if (field.number === 1) actionType.type = textOf(field);
    else if (field.number === 2) actionType.description = textOf(field);
  }
  return actionType;
}

/** Criteria, action results and upload acknowledgements each consist of one bytes field. */
export function encodeSingleBytes(value: Uint8Array): Uint8Array {
  return new MessageWriter().bytes(1, value).finish();
}

export function decodeSingleBytes(message: Uint8Array): Uint8Array {
  for (const field of readFields(message)) if (field.number === 1) return bytesOf(field);
  return nothing;
}

/** What a server tells about a flight: its schema, how much it is, and where its parts can be had. */
import type { Schema } from 'apache-arrow';
import { FlightError } from '../errors.ts';
import { decodeDescriptor, encodeDescriptor, type FlightDescriptor } from './descriptor.ts';
import { decodeSchemaMessage, encodeSchemaMessage } from './schema-message.ts';
import { decodeSingleBytes, encodeSingleBytes } from './small-messages.ts';
import { bytesOf, intOf, MessageWriter, readFields, textOf } from './wire.ts';

/** A part of a flight. Parts may be fetched in parallel. */
export interface FlightEndpoint {
  ticket: Uint8Array;
  /** URIs of servers that have it; none means the server that was asked. */
  locations: readonly string[];
  appMetadata?: Uint8Array;
}

export interface FlightInfo {
  schema: Schema | undefined;
  descriptor: FlightDescriptor | undefined;
  endpoints: readonly FlightEndpoint[];
  /** Rows; −1 when it is not known. */
  totalRecords: number;
  /** −1 when it is not known. */
  totalBytes: number;
  /** Whether the order of the endpoints is that of the rows. */
  ordered?: boolean;
  appMetadata?: Uint8Array;
}

export function encodeFlightInfo(info: FlightInfo): Uint8Array {
  const writer = new MessageWriter();
  if (info.schema) writer.bytes(1, encodeSchemaMessage(info.schema));
  if (info.descriptor) writer.message(2, encodeDescriptor(info.descriptor));
  for (const endpoint of info.endpoints) writer.message(3, encodeEndpoint(endpoint));
  writer.int(4, info.totalRecords).int(5, info.totalBytes);
  return writer
    .int(6, info.ordered ? 1 : 0)
    .bytes(7, info.appMetadata)
    .finish();
}

/** @throws FlightError, ArrowError when the bytes are no such message */
export function decodeFlightInfo(message: Uint8Array): FlightInfo {
  const endpoints: FlightEndpoint[] = [];
  const info: FlightInfo = { schema: undefined, descriptor: undefined, endpoints, totalRecords: 0, totalBytes: 0 };
  for (const field of readFields(message)) {
    if (field.number === 1) info.schema = decodeSchemaMessage(bytesOf(field));
    else if (field.number === 2) info.descriptor = decodeDescriptor(bytesOf(field));
    else if (field.number === 3) endpoints.push(decodeEndpoint(bytesOf(field)));
    else if (field.number === 4) info.totalRecords = Number(intOf(field));
    else if (field.number === 5) info.totalBytes = Number(intOf(field));
    else if (field.number === 6) info.ordered = intOf(field) !== 0n;
    else if (field.number === 7) info.appMetadata = bytesOf(field);
  }
  return info;
}

function encodeEndpoint({ ticket, locations, appMetadata }: FlightEndpoint): Uint8Array {
  const writer = new MessageWriter().message(1, encodeSingleBytes(ticket));
  for (const uri of locations) writer.message(2, new MessageWriter().text(1, uri).finish());
  return writer.bytes(4, appMetadata).finish();
}

function decodeEndpoint(message: Uint8Array): FlightEndpoint {
  const locations: string[] = [];
  const endpoint: FlightEndpoint = { ticket: new Uint8Array(0), locations };
  for (const field of readFields(message)) {
    if (field.number === 1) endpoint.ticket = decodeSingleBytes(bytesOf(field));
    else if (field.number === 2) locations.push(decodeLocation(bytesOf(field)));
    else if (field.number === 4) endpoint.appMetadata = bytesOf(field);
  }
  return endpoint;
}

function decodeLocation(message: Uint8Array): string {
  for (const field of readFields(message)) if (field.number === 1) return textOf(field);
  throw new FlightError('invalid-argument', 'a location has no URI');
}

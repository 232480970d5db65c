/** Description of a flight: its schema, its size, and the locations of its parts. */
import type { Schema } from 'apache-arrow';
import { FlightError } from '../errors.ts';
import { decodeDescriptor, encodeDescriptor, type FlightDescriptor } from './descriptor.ts';
import { decodeSchemaMessage, encodeSchemaMessage } from './schema-message.ts';
import { decodeSingleBytes, encodeSingleBytes } from './small-messages.ts';
import { bytesOf, intOf, MessageWriter, readFields, textOf } from './wire.ts';

/** A part of a flight. Parts may be fetched in parallel. */
export interface FlightEndpoint {
  ticket: Uint8Array;
  /** URIs of servers with this part; an empty list means the queried server. */
  locations: readonly string[];
  appMetadata?: Uint8Array;
}

export interface FlightInfo {
  schema: Schema | undefined;
  descriptor: FlightDescriptor | undefined;
  endpoints: readonly FlightEndpoint[];
  /** Number of rows; −1 if unknown. */
  totalRecords: number;
  /** Size in bytes; −1 if unknown. */
  totalBytes: number;
  /** Whether the endpoints are in row order. */
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

/** @throws FlightError, ArrowError for malformed bytes */
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
